import type { ReactNode } from 'react';
import { Link, Outlet } from '@tanstack/react-router';
import { Page } from '../ui/page';
import { TabLinks } from '../ui/tabs';

/** The ways to a new service. */
export function Deploy(): ReactNode {
  return (
    <Page
      title="New service"
      above={
        <Link to="/services" search={{ page: 1 }} className="hover:underline">
          Services
        </Link>
      }
    >
      <TabLinks
        label="Ways to deploy"
        tabs={[
          { title: 'Database', to: '/deploy/template' },
          { title: 'Git repository', to: '/deploy/git' },
          { title: 'Compose file', to: '/deploy' },
        ]}
      />
      <Outlet />
    </Page>
  );
}
