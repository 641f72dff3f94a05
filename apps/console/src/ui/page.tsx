import { useEffect, type ReactNode } from 'react';
import { useArrival } from './focus/arrival';

interface Props {
  readonly title: string;
  /** True while the title stands in for the name of something that is still being read. */
  readonly isComing?: boolean;
  readonly above?: ReactNode;
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen with its heading, which is the title of the browser's tab too. */
export function Page({ title, isComing = false, above, badge, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Tenantry`;
  }, [title]);
  const heading = useArrival(isComing ? null : title);
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6">
      {above ? <div className="text-quiet mb-1 text-sm">{above}</div> : null}
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <h1 ref={heading} tabIndex={-1} className="min-w-0 break-words">
            {title}
          </h1>
          {badge}
        </div>
        {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
      </div>
      {children}
    </div>
  );
}
