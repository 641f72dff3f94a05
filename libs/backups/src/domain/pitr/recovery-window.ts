import { missingSegment, segmentAfter } from './wal-segment.js';

/** A copy of all files of a server, from which its log is played on. */
export interface BaseBackup {
  /** The log is needed from here on. */
  readonly firstSegment: string;
  /** Before its end the copy is no state of the database. */
  readonly endedAt: Date;
}

export interface ShippedSegment {
  readonly name: string;
  /** Every commit until then is in this segment or before it, and a later one too; null when it tells no time. */
  readonly markedAt: Date | null;
}

export interface RecoveryWindow {
  readonly from: Date;
  readonly to: Date;
}

/**
 * The moments that can be restored: from the end of the oldest copy from which the log is there without a gap.
 * @param to the last moment of which all that was committed until then has been shipped
 */
export function recoveryWindow(
  bases: readonly BaseBackup[],
  shipped: readonly ShippedSegment[],
  to: Date | null,
): RecoveryWindow | null {
  if (to === null) return null;
  const names = shipped.map(({ name }) => name).sort();
  const usable = bases
    .filter((base) => base.endedAt.getTime() <= to.getTime() && isComplete(base.firstSegment, names))
    .sort((a, b) => a.endedAt.getTime() - b.endedAt.getTime());
  return usable[0] ? { from: usable[0].endedAt, to } : null;
}

function isComplete(first: string, names: readonly string[]): boolean {
  return names.some((name) => name >= first) && missingSegment(first, names) === null;
}

export interface RecoveryPlan<B extends BaseBackup> {
  readonly base: B;
  readonly segments: readonly string[];
  /** When the log is played no further. */
  readonly target: Date;
}

/**
 * What brings a database back to a moment: the newest copy from before it, and the log until a commit that comes after
 * it. Without such a commit the server would not know that it has arrived.
 * @param quietUntil nothing was committed between the last mark and then
 * @returns null when the moment cannot be restored
 */
export function recoveryPlan<B extends BaseBackup>(
  bases: readonly B[],
  shipped: readonly ShippedSegment[],
  quietUntil: Date,
  at: Date,
): RecoveryPlan<B> | null {
  const ordered = [...shipped].sort((a, b) => (a.name < b.name ? -1 : 1));
  const candidates = bases
    .filter(({ endedAt }) => endedAt.getTime() <= at.getTime())
    .sort((a, b) => b.endedAt.getTime() - a.endedAt.getTime());
  for (const base of candidates) {
    const log = ordered.filter(({ name }) => name >= base.firstSegment);
    const reach = reachOf(log, base.firstSegment);
    const last = reach.findLast(({ markedAt }) => markedAt !== null);
    if (!last?.markedAt) continue;
    const isQuiet = last === log.findLast(({ markedAt }) => markedAt !== null) && at.getTime() <= quietUntil.getTime();
    const target = at.getTime() <= last.markedAt.getTime() ? at : isQuiet ? last.markedAt : null;
    if (target === null) continue;
    const until = reach.findIndex(({ markedAt }) => markedAt !== null && markedAt.getTime() >= target.getTime());
    return { base, target, segments: reach.slice(0, until + 1).map(({ name }) => name) };
  }
  return null;
}

/** What follows without a gap. */
function reachOf(log: readonly ShippedSegment[], first: string): ShippedSegment[] {
  const reach: ShippedSegment[] = [];
  let expected = first;
  for (const segment of log) {
    if (segment.name !== expected) break;
    reach.push(segment);
    expected = segmentAfter(expected);
  }
  return reach;
}
