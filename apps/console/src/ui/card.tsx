import type { ReactNode } from 'react';
import { classes } from './classes';

interface Props {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** What is inside reaches the edges: a table. */
  readonly flush?: boolean;
}

export function Card({ title, actions, children, className, flush = false }: Props) {
  return (
    <section className={classes('border-line bg-panel min-w-0 rounded-lg border', className)}>
      {title || actions ? (
        <header className="border-line flex flex-wrap items-center justify-between gap-2 border-b px-4 py-3">
          <h2 tabIndex={-1}>{title}</h2>
          {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
        </header>
      ) : null}
      <div className={classes('flex-1', !flush && 'p-4')}>{children}</div>
    </section>
  );
}

/** Names and values side by side. What has the value undefined is left out: it does not concern this one. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 gap-y-2 text-sm">
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="min-w-0 break-words">{value ?? '–'}</dd>
          </div>
        ))}
    </dl>
  );
}
