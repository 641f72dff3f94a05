import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state';
import { Page } from '../ui/page';

export function NotFound(): ReactNode {
  return (
    <Page title="Not found">
      <EmptyState title="There is no such page.">
        <Link to="/services" search={{ page: 1 }} className="underline">
          Go to the services
        </Link>
      </EmptyState>
    </Page>
  );
}
