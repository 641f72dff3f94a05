import type { ReactNode } from 'react';
import { Problem } from '../api/problem';
import { classes } from './classes';

const TONES = {
  bad: 'bg-bad-ground text-bad',
  warn: 'bg-warn-ground text-warn',
  busy: 'bg-busy-ground text-busy',
  good: 'bg-good-ground text-good',
};

export function Notice({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  return (
    <div role={tone === 'bad' ? 'alert' : 'status'} className={classes('rounded-md px-4 py-3 text-sm', TONES[tone])}>
      {children}
    </div>
  );
}

/** The API speaks to programs too: what it says of credentials and resources is said to people here. */
function wordsOf({ status, code, message }: Problem, missing: string | undefined): string {
  if (status === 404 && missing) return missing;
  if (status === 401) return 'Your session has ended.';
  return code === 'forbidden' ? 'You are not allowed to see or do this. Ask an admin of the panel.' : message;
}

interface ProblemProps {
  readonly error: unknown;
  /** What to say of something that is not there, in place of the general words of the API. */
  readonly missing?: string;
}

/**
 * An error in the words of the API, and the id that the staff can look for. In a form it stands below the fields, and does
 * not repeat what stands at them.
 */
export function ProblemNotice({ error, missing }: ProblemProps) {
  if (!error) return null;
  if (!(error instanceof Problem))
    return <Notice tone="bad">Something went wrong in this page. Reload it and try again.</Notice>;
  const elsewhere = error.detailsElsewhere();
  if (error.details.length > 0 && elsewhere.length === 0)
    return <Notice tone="bad">Correct what is marked above, then try again.</Notice>;
  return (
    <Notice tone="bad">
      <p>{wordsOf(error, missing)}</p>
      {elsewhere.some(({ message }) => message !== error.message) ? (
        <ul className="mt-2 list-disc pl-5">
          {elsewhere.map(({ path, message }, index) => (
            <li key={index}>
              {path ? <code className="font-mono text-xs">{path}</code> : null} {message}
            </li>
          ))}
        </ul>
      ) : null}
      {error.status === 401 ? (
        <p className="mt-1">
          <a href="/console/" target="_blank" rel="noreferrer" className="underline">
            Sign in in another tab
          </a>
          , then try again here: what you typed is still there.
        </p>
      ) : null}
      {error.status >= 500 && error.requestId ? (
        <p className="mt-2 text-xs">Tell the operator of the panel this number: {error.requestId}</p>
      ) : null}
    </Notice>
  );
}
