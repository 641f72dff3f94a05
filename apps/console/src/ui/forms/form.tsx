import type { ReactNode } from 'react';
import { classes } from '../classes';

interface Props {
  readonly onSubmit: () => void;
  readonly children: ReactNode;
  /** On a page of its own, where lines would otherwise be too long. */
  readonly narrow?: boolean;
}

/** Rows of fields below each other. The page stays where it is when the form is sent. */
export function Form({ onSubmit, children, narrow = false }: Props) {
  return (
    <form
      className={classes(
        'grid grid-cols-1',
        narrow ? 'border-line bg-panel max-w-3xl gap-5 rounded-lg border p-4 sm:p-6' : 'gap-4',
      )}
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog belongs to the form that opened it, as far as React's events go.
        event.stopPropagation();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
