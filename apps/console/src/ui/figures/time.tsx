import { useEffect, useState } from 'react';

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const WEEK_SECONDS = 7 * 86_400;

function relative(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  if (Math.abs(seconds) > WEEK_SECONDS) return LOCAL.format(at);
  for (const [unit, length] of UNITS)
    if (Math.abs(seconds) >= length) return RELATIVE.format(Math.trunc(seconds / length), unit);
  return Math.abs(seconds) < 5 ? 'just now' : RELATIVE.format(seconds, 'second');
}

/** An instant in the zone of the browser; the exact UTC time shows on hover. */
export function Time({ at, exact = false }: { at: string | null | undefined; exact?: boolean }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  if (!at) return <span className="text-quiet">–</span>;
  const instant = Date.parse(at);
  return (
    <time
      className="whitespace-nowrap"
      dateTime={at}
      title={`${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`}
    >
      {exact ? LOCAL.format(instant) : relative(instant, now)}
    </time>
  );
}

/** How long something took; counted on while it is not over. */
export function Took({ from, to }: { from: string | null; to: string | null }) {
  const [, setTicks] = useState(0);
  const isOpen = from !== null && to === null;
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), 1_000);
    return () => clearInterval(timer);
  }, [isOpen]);
  return <>{duration(from, to)}</>;
}

function duration(from: string | null, to: string | null): string {
  if (!from) return '–';
  const seconds = Math.max(0, ((to ? Date.parse(to) : Date.now()) - Date.parse(from)) / 1000);
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.round((seconds % 3_600) / 60)} min`;
}
