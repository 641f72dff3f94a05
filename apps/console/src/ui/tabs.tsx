import { Link } from '@tanstack/react-router';

export interface TabLink {
  readonly title: string;
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
}

/** Tabs that are places: each has its own address. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  return (
    <nav aria-label={label} className="border-line -mx-4 mb-5 overflow-x-auto border-b px-4">
      <ul className="flex gap-1">
        {tabs.map(({ title, to, params }) => (
          <li key={title}>
            <Link
              to={to}
              {...(params && { params })}
              activeOptions={{ exact: true }}
              className="text-quiet hover:text-text inline-block border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap"
              activeProps={{ className: 'border-accent! text-text! font-medium', 'aria-current': 'page' }}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
