import type { ButtonHTMLAttributes } from 'react';
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
    'disabled:cursor-not-allowed disabled:opacity-50',
    LOOKS[look],
    extra,
  );

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look;
  /** True while the action runs: the button waits and says so. */
  readonly busy?: boolean;
}

export function Button({ look, busy = false, className, children, disabled, type = 'button', ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || busy}
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
