import type { ReactNode } from 'react';
import { Link, Outlet, useMatchRoute } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { Notice } from '../ui/notice';
import { Page } from '../ui/page';
import { TabLinks } from '../ui/tabs';
import { WAYS } from './ways-to-deploy';

/** The frame of every way to a new service. */
export function Deploy(): ReactNode {
  const { permissions } = useSession();
  const matches = useMatchRoute();
  const way = WAYS.find(({ to }) => matches({ to, fuzzy: true }));
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
      {way && !permissions.has(way.permission) ? (
        <Notice tone="warn">You are not allowed to do this. Ask an admin of the panel.</Notice>
      ) : (
        <Outlet />
      )}
    </Page>
  );
}
