import { Invalid } from '#kernel/errors';

/** What a quota limits: the number of services, and the sums of their resource limits. */
export const QUOTA_KINDS = ['services', 'cpuCores', 'memoryMb', 'diskMb'] as const;
export type QuotaKind = (typeof QUOTA_KINDS)[number];

/** What an organisation uses, including all organisations below it. */
export type QuotaUse = Readonly<Record<QuotaKind, number>>;

/** What an organisation may use. Null means no limit. */
export type QuotaLimits = Readonly<Record<QuotaKind, number | null>>;

export const UNLIMITED: QuotaLimits = { services: null, cpuCores: null, memoryMb: null, diskMb: null };

/** The highest limits that can be set. All except cores must be whole numbers. */
export const MAX_LIMITS: QuotaUse = {
  services: 1_000_000,
  cpuCores: 1_000_000,
  memoryMb: 1_000_000_000_000,
  diskMb: 1_000_000_000_000,
};

/** What is wrong with a limit, as the end of a sentence that starts with its name. Null if it is valid. */
export function limitDefect(kind: QuotaKind, limit: number | null): string | null {
  if (limit === null) return null;
  const isWhole = kind !== 'cpuCores';
  if (limit >= 0 && limit <= MAX_LIMITS[kind] && (!isWhole || Number.isInteger(limit))) return null;
  return `must be ${isWhole ? 'a whole number' : 'a number'} from 0 to ${MAX_LIMITS[kind]}`;
}

/** The limits with some of them replaced. @throws Invalid naming the one that is out of its range */
export function withLimits(limits: QuotaLimits, change: Partial<QuotaLimits>): QuotaLimits {
  const changed = { ...limits, ...change };
  for (const kind of QUOTA_KINDS) {
    const defect = limitDefect(kind, changed[kind]);
    if (defect !== null) throw Invalid.field(kind, defect);
  }
  return changed;
}

export function isLimited(limits: QuotaLimits): boolean {
  return QUOTA_KINDS.some((kind) => limits[kind] !== null);
}

/** The lowest limit of each kind, for somebody to whom all of these limits apply. */
export function tightest(all: readonly QuotaLimits[]): QuotaLimits {
  return all.reduce(
    (one, other) => ({
      services: lower(one.services, other.services),
      cpuCores: lower(one.cpuCores, other.cpuCores),
      memoryMb: lower(one.memoryMb, other.memoryMb),
      diskMb: lower(one.diskMb, other.diskMb),
    }),
    UNLIMITED,
  );
}

/** The kinds of which more is used than the limits allow. */
export function overdrawn(limits: QuotaLimits, use: QuotaUse): readonly QuotaKind[] {
  return QUOTA_KINDS.filter((kind) => use[kind] > (limits[kind] ?? Infinity));
}

function lower(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
