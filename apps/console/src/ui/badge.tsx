import type { ReactNode } from 'react';
import { classes } from './classes';

export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'neutral';

const TONES: Readonly<Record<Tone, string>> = {
  good: 'bg-good-ground text-good',
  warn: 'bg-warn-ground text-warn',
  bad: 'bg-bad-ground text-bad',
  busy: 'bg-busy-ground text-busy',
  neutral: 'bg-raised text-quiet',
};

/** A short state in words. The colour only repeats what the word says. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      <span
        aria-hidden
        className={classes('size-1.5 shrink-0 rounded-full bg-current', tone === 'busy' && 'animate-pulse')}
      />
      {children}
    </span>
  );
}
