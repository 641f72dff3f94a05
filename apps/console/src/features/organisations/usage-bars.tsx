import { classes } from '../../ui/classes';

type Kind = 'services' | 'cpuCores' | 'memoryMb' | 'diskMb';
export type Limits = Readonly<Record<Kind, number | null>>;

export const KINDS: readonly (readonly [kind: Kind, title: string, unit: string])[] = [
  ['services', 'Services', ''],
  ['cpuCores', 'CPU cores', ''],
  ['memoryMb', 'Memory', ' MiB'],
  ['diskMb', 'Disk', ' MiB'],
];

const NEARLY = 0.8;

/** What is used of what may be used. The figures say it; the bars repeat it. */
export function UsageBars({ limits, used }: { limits: Limits; used: Readonly<Record<Kind, number>> }) {
  return (
    <ul className="grid grid-cols-1 gap-4 text-sm sm:grid-cols-2">
      {KINDS.map(([kind, title, unit]) => {
        const limit = limits[kind];
        const share = limit === null ? 0 : limit === 0 ? (used[kind] > 0 ? 1 : 0) : used[kind] / limit;
        return (
          <li key={kind} className="min-w-0">
            <div className="flex justify-between gap-2">
              <span className="text-quiet">{title}</span>
              <span className="tabular-nums">
                {amount(used[kind])}
                {limit === null ? unit : ` of ${amount(limit)}${unit}`}
                {limit === null ? <span className="text-quiet">, no limit</span> : null}
              </span>
            </div>
            <svg aria-hidden viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-1 h-1.5 w-full">
              <rect width="100" height="4" className="fill-raised" />
              <rect
                width={Math.min(100, share * 100)}
                height="4"
                className={classes(share > 1 ? 'fill-bad' : share >= NEARLY ? 'fill-warn' : 'fill-accent')}
              />
            </svg>
          </li>
        );
      })}
    </ul>
  );
}

const amount = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });
