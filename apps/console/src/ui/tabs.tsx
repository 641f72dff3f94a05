import { Link, useLocation, useMatchRoute } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { TabHeading } from './focus/tab-heading';

export interface TabLink {
  readonly title: string;
  readonly to: string;
  /** Lit for its own address alone, and not for those below it. */
  readonly exact?: boolean;
  readonly params?: Readonly<Record<string, string>>;
}

/** Tabs that are places: each has its own address. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  const strip = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const matches = useMatchRoute();
  const current = tabs.find(({ to, params, exact = false }) => matches({ to, params, fuzzy: !exact }));
  useEffect(() => {
    const lit = strip.current?.querySelector<HTMLElement>('[aria-current=page]');
    // On a telephone the strip is wider than the screen: the tab that one is on must not lie outside of it.
    if (lit) strip.current!.scrollLeft = lit.offsetLeft - (strip.current!.clientWidth - lit.clientWidth) / 2;
  }, [pathname]);
  return (
    <>
      <nav
        ref={strip}
        aria-label={label}
        className="border-line relative -mx-4 mb-5 overflow-x-auto border-b px-4 sm:mx-0 sm:px-0"
      >
        <ul className="flex gap-1">
          {tabs.map(({ title, to, params, exact = false }) => (
            <li key={title}>
              <Link
                to={to}
                {...(params && { params })}
                activeOptions={{ exact }}
                className="text-quiet hover:text-text inline-block border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap"
                activeProps={{ className: 'border-accent! text-text! font-medium', 'aria-current': 'page' }}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {current ? <TabHeading title={current.title} /> : null}
    </>
  );
}
