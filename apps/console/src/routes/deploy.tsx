import type { ReactNode } from 'react';
import { Link, Outlet } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { Page } from '../ui/page';
import { TabLinks } from '../ui/tabs';
import { WAYS } from './ways-to-deploy';

/** The frame of every way to a new service. */
export function Deploy(): ReactNode {
  const { permissions } = useSession();
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
        tabs={WAYS.filter(({ permission }) => permissions.has(permission)).map(({ title, to }) => ({ title, to }))}
      />
      <Outlet />
    </Page>
  );
}
