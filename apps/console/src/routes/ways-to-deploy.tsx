import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session';
import type { Permission } from '../api/types';
import { Page } from '../ui/page';

interface Way {
  readonly title: string;
  readonly to: string;
  readonly permission: Permission;
  readonly question: string;
  readonly text: string;
}

export const WAYS: readonly Way[] = [
  {
    title: 'Git repository',
    to: '/deploy/git',
    permission: 'services:create',
    question: 'Your own program',
    text: 'From a Git repository. The panel builds and runs it, and does so again after every push if you like.',
  },
  {
    title: 'Analysis',
    to: '/deploy/analysis',
    permission: 'analysis:create',
    question: 'Not sure what it needs?',
    text: 'The panel reads your repository, finds out which variables and databases it needs, and fills in the form for you.',
  },
  {
    title: 'Database',
    to: '/deploy/template',
    permission: 'templates:read',
    question: 'A database',
    text: 'PostgreSQL, MySQL, MariaDB, MongoDB, Redis or Qdrant, with a generated password. Your services reach it by its name.',
  },
  {
    title: 'Compose file',
    to: '/deploy/compose',
    permission: 'services:create',
    question: 'Ready-made images',
    text: 'From a compose file: one or several containers, with volumes, variables and health checks.',
  },
];

/** The first question to somebody who wants to put something online: what is it? */
export function WaysToDeploy(): ReactNode {
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
      <p className="text-quiet mb-4">What do you want to put online?</p>
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {WAYS.filter(({ permission }) => permissions.has(permission)).map(({ to, title, question, text }) => (
          <li key={to}>
            <Link
              to={to}
              className="border-line bg-panel hover:border-accent flex h-full flex-col gap-1 rounded-lg border p-5"
            >
              <span className="text-accent text-xs font-medium">{title}</span>
              <span className="text-base font-semibold">{question}</span>
              <span className="text-quiet text-sm">{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
