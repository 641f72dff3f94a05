import type { ReactNode } from 'react';

/** What to do first where there is nothing yet. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="border-line rounded-lg border border-dashed px-6 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children ? <div className="text-quiet mt-2 flex flex-col items-center gap-3 text-sm">{children}</div> : null}
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <p role="status" className="text-quiet py-6 text-center text-sm">
      Loading {what} …
    </p>
  );
}
