import type { ButtonHTMLAttributes, MouseEvent } from 'react';
import { classes } from './classes';

type Look = 'primary' | 'plain' | 'danger' | 'quiet';

const LOOKS: Readonly<Record<Look, string>> = {
  primary: 'bg-accent text-on-accent border-transparent hover:bg-accent-strong',
  plain: 'bg-panel text-text border-field hover:bg-raised',
  danger: 'bg-panel text-bad border-bad hover:bg-bad-ground',
  quiet: 'bg-transparent text-text border-transparent hover:bg-raised',
};

export const buttonClass = (look: Look = 'plain', extra?: string): string =>
  classes(
    'inline-flex min-h-9 items-center justify-center gap-2 rounded-md border px-3 text-sm font-medium whitespace-nowrap',
    'disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
    LOOKS[look],
    extra,
  );

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look;
  /** True while the action runs: the button says so and does nothing. It is not disabled, or it would lose the focus. */
  readonly busy?: boolean;
}

export function Button({ look, busy = false, className, children, onClick, type = 'button', ...rest }: Props) {
  const wait = (event: MouseEvent) => event.preventDefault();
  return (
    <button
      {...rest}
      type={type}
      onClick={busy ? wait : onClick}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      className={buttonClass(look, className)}
    >
      {busy ? (
        <span aria-hidden className="size-3 animate-spin rounded-full border-2 border-current border-t-transparent" />
      ) : null}
      {children}
    </button>
  );
}
