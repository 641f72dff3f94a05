import { Button } from './button';

interface Props {
  readonly pagination: { readonly page: number; readonly total: number; readonly totalPages: number };
  readonly one: string;
  readonly many: string;
  readonly goTo: (page: number) => void;
}

/** Where one is in a list of pages, and the way to the next. */
export function Pager({ pagination: { page, total, totalPages }, one, many, goTo }: Props) {
  return (
    <nav aria-label="Pages" className="mt-3 flex flex-wrap items-center justify-between gap-2 text-sm">
      <span className="text-quiet">
        {total} {total === 1 ? one : many}
        {totalPages > 1 ? `, page ${page} of ${totalPages}` : ''}
      </span>
      {totalPages > 1 ? (
        <span className="flex gap-2">
          <Button disabled={page <= 1} onClick={() => goTo(page - 1)}>
            Previous
          </Button>
          <Button disabled={page >= totalPages} onClick={() => goTo(page + 1)}>
            Next
          </Button>
        </span>
      ) : null}
    </nav>
  );
}
