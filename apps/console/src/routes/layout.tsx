import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { Problem } from '../api/problem';
import { sessionQuery, signOut, type Session } from '../api/session';
import type { Permission, User } from '../api/types';
import { LiveConnection } from '../live/connection';
import { LiveContext } from '../live/use-live';
import { Button } from '../ui/button';
import { Loading } from '../ui/empty-state';
import { ProblemNotice } from '../ui/notice';
import { ToastArea } from '../ui/toasts';
import { ConnectionNotice } from './connection-notice';
import { SignIn } from './sign-in';
import { ThemeSwitch } from './theme-switch';
import { useFocus } from './use-focus';

interface Place {
  readonly title: string;
  readonly to: string;
  readonly permission: Permission;
  /** Only for people of this role. */
  readonly role?: User['role'];
}

const PLACES: readonly Place[] = [
  { title: 'Services', to: '/services', permission: 'services:read' },
  { title: 'Organisations', to: '/organisations', permission: 'org.members:read', role: 'admin' },
  { title: 'Organisation', to: '/organisation', permission: 'usage:read', role: 'customer' },
  { title: 'API keys', to: '/keys', permission: 'api_keys:read' },
  { title: 'Audit log', to: '/audit', permission: 'audit:read' },
];

/** The frame of every screen; without a session it is the sign-in. */
export function Layout(): ReactNode {
  const { data: session, error, isPending, isFetching, refetch } = useQuery(sessionQuery);
  if (isPending) return <Loading what="the console" />;
  if (error)
    return (
      <div className="mx-auto grid max-w-lg justify-items-start gap-4 px-4 py-16">
        <ProblemNotice
          error={
            error instanceof Problem
              ? error
              : new Problem(0, 'unreachable', 'The panel does not answer. Check the connection and try again.')
          }
        />
        <Button busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  if (!session) return <SignIn />;
  return <SignedIn session={session} />;
}

function SignedIn({ session }: { session: Session }) {
  const client = useQueryClient();
  const [live] = useState(() => {
    const url = `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/ws`;
    return new LiveConnection(url, () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey }));
  });
  useEffect(() => live.connect(), [live]);
  const main = useFocus();
  return (
    <LiveContext.Provider value={live}>
      <ToastArea>
        <a
          href="#main"
          className="bg-panel sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:p-2"
        >
          Skip to the content
        </a>
        <header className="border-line bg-panel border-b">
          <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-4 py-2">
            <Link to="/services" search={{ page: 1 }} className="flex items-center gap-2 font-semibold">
              <img src="/console/mark.svg" alt="" className="size-6" />
              Tenantry
            </Link>
            <nav aria-label="Main" className="order-last -mx-2 w-full overflow-x-auto sm:order-none sm:w-auto">
              <ul className="flex">
                {PLACES.filter(
                  ({ permission, role }) =>
                    session.permissions.has(permission) && (!role || role === session.user.role),
                ).map(({ title, to }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      className="text-quiet hover:text-text inline-block rounded-md px-2 py-1.5 text-sm whitespace-nowrap"
                      activeProps={{ className: 'text-text! bg-raised font-medium' }}
                    >
                      {title}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
            <div className="ml-auto flex items-center gap-2 text-sm">
              <ThemeSwitch />
              <span className="text-quiet hidden max-w-48 truncate lg:inline" title={session.user.email}>
                {session.user.email}
              </span>
              <Button look="quiet" onClick={() => void signOut()}>
                Sign out
              </Button>
            </div>
          </div>
        </header>
        <ConnectionNotice />
        <main id="main" ref={main} tabIndex={-1}>
          <Outlet />
        </main>
      </ToastArea>
    </LiveContext.Provider>
  );
}
