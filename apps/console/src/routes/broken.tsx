import type { ReactNode } from 'react';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';

/**
 * In place of a screen that failed in the browser. Most often a part of it could not be loaded, because the panel was away
 * or has another version now: both are over after a reload.
 */
export function Broken(): ReactNode {
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6" role="alert">
      <EmptyState title="This part of the page could not be shown.">
        <p>The panel may have been away for a moment, or it may be a newer one now. Nothing that you saved is lost.</p>
        <Button onClick={() => location.reload()}>Reload this page</Button>
      </EmptyState>
    </div>
  );
}
