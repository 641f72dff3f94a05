import { useLocation } from '@tanstack/react-router';
import { useArrival } from './arrival';

/**
 * The heading of what a tab shows. The tab says it already to those who see the page; whoever comes by keyboard finds the
 * focus here.
 */
export function TabHeading({ title }: { title: string }) {
  const { pathname } = useLocation();
  const heading = useArrival(pathname);
  return (
    <div className="relative">
      <h2
        ref={heading}
        tabIndex={-1}
        className="sr-only focus-visible:not-sr-only focus-visible:absolute! focus-visible:-top-5 focus-visible:left-0 focus-visible:text-xs! focus-visible:leading-4!"
      >
        {title}
      </h2>
    </div>
  );
}
