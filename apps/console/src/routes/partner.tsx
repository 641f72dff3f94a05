import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state';
import { Page } from '../ui/page';

/** The place of a part that is still to be built. */
export function Partner(): ReactNode {
  return (
    <Page title="For partners">
      <EmptyState title="This part of the console is not built yet.">
        <p className="max-w-prose">
          Partners and their staff will see their customers, licenses and usage here. Until then, everything that a
          partner does is done with the partner API.
        </p>
        <Link to="/services" search={{ page: 1 }} className="underline">
          Go to the services
        </Link>
      </EmptyState>
    </Page>
  );
}
