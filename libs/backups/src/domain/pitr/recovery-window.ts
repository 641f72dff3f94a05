import type { VerificationStatus } from '../backup-state.js';

/** A copy of all files of a server, onto which its log can be played. */
export interface BaseBackup {
  /** Name of the first segment of the log that this copy needs. */
  readonly firstSegment: string;
  /** When the copy was complete. It is not consistent before that, so no earlier moment can be restored from it. */
  readonly endedAt: Date;
  /** The outcome of its trial restore; null before the trial. */
  readonly proof: VerificationStatus | null;
}

/** The copies whose trial did not fail. */
export function reliable<B extends BaseBackup>(bases: readonly B[]): B[] {
  return bases.filter(({ proof }) => proof !== 'failed');
}

export interface ShippedSegment {
  readonly name: string;
  /** The name of the segment that follows this one. */
  readonly next: string;
  /** Every commit up to this moment is in this segment or an earlier one; null when the segment contains no time. */
  readonly markedAt: Date | null;
}

/**
 * The time up to which every commit is in the store. While nothing is written, that is later than the last mark. But when
 * the newest segment is not the one before the next to be shipped, segments behind it were lost, and only its marks count.
 * @param stream null when the log is no longer archived
 */
export function shippedUntil(
  stream: { readonly nextSegment: string | null; readonly reachesTo: Date | null } | null,
  shipped: readonly ShippedSegment[],
): Date | null {
  const log = inOrder(shipped);
  const lastMark = log.findLast(({ markedAt }) => markedAt !== null)?.markedAt ?? null;
  if (stream === null || lastMark === null) return lastMark;
  const { nextSegment, reachesTo } = stream;
  if (reachesTo === null || log.at(-1)?.next === nextSegment || reachesTo.getTime() < lastMark.getTime())
    return reachesTo;
  return lastMark;
}

export interface RecoveryWindow {
  readonly from: Date;
  readonly to: Date;
}

/**
 * The moments that can be restored, both ends included. The window starts at the end of the oldest copy from which the
 * log has no gap.
 * @param to the last moment for which every commit up to it has been shipped; null when there is none
 * @returns null when no moment can be restored
 */
export function recoveryWindow(
  bases: readonly BaseBackup[],
  shipped: readonly ShippedSegment[],
  to: Date | null,
): RecoveryWindow | null {
  if (to === null) return null;
  const log = inOrder(shipped);
  const usable = reliable(bases)
    .filter((base) => base.endedAt.getTime() <= to.getTime() && isComplete(base.firstSegment, log))
    .sort((a, b) => a.endedAt.getTime() - b.endedAt.getTime());
  return usable[0] ? { from: usable[0].endedAt, to } : null;
}

function isComplete(first: string, log: readonly ShippedSegment[]): boolean {
  return log.some(({ name }) => name >= first) && missingSegment(first, log) === null;
}

/**
 * The first segment that is missing between `first` and the last of `log`; null when none is missing.
 * @param log ordered by name
 */
export function missingSegment(first: string, log: readonly Omit<ShippedSegment, 'markedAt'>[]): string | null {
  let expected = first;
  for (const { name, next } of log) {
    if (name < expected) continue;
    if (name !== expected) return expected;
    expected = next;
  }
  return null;
}

export interface RecoveryPlan<B extends BaseBackup, S extends ShippedSegment> {
  readonly base: B;
  readonly segments: readonly S[];
  /** The log is played up to this moment. */
  readonly target: Date;
}

/**
 * What is needed to restore a database to a moment: the newest copy that ended before it, and the log up to a commit at
 * or after it. Without such a commit the server could not know that it has reached the moment.
 * @param quietUntil nothing was committed between the last marked time and this moment
 * @returns null when the moment cannot be restored
 */
export function recoveryPlan<B extends BaseBackup, S extends ShippedSegment>(
  bases: readonly B[],
  shipped: readonly S[],
  quietUntil: Date,
  at: Date,
): RecoveryPlan<B, S> | null {
  const ordered = inOrder(shipped);
  const candidates = reliable(bases)
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
    return { base, target, segments: reach.slice(0, until + 1) };
  }
  return null;
}

/** The newest moment that can be restored from a copy; null when there is none. @param quietUntil as in `recoveryPlan` */
export function newestMoment(base: BaseBackup, shipped: readonly ShippedSegment[], quietUntil: Date): Date | null {
  const log = inOrder(shipped);
  const { markedAt: last } = reachOf(log, base.firstSegment).findLast(({ markedAt }) => markedAt !== null) ?? {};
  if (!last) return null;
  const isQuiet = log.findLast(({ markedAt }) => markedAt !== null)?.markedAt === last;
  const at = isQuiet && quietUntil.getTime() > last.getTime() ? quietUntil : last;
  return at.getTime() < base.endedAt.getTime() ? null : at;
}

/** The segments from `first` up to the first gap. */
function reachOf<S extends ShippedSegment>(log: readonly S[], first: string): S[] {
  const reach: S[] = [];
  let expected = first;
  for (const segment of log) {
    if (segment.name < first) continue;
    if (segment.name !== expected) break;
    reach.push(segment);
    expected = segment.next;
  }
  return reach;
}

function inOrder<S extends ShippedSegment>(log: readonly S[]): S[] {
  return [...log].sort((a, b) => (a.name < b.name ? -1 : 1));
}
