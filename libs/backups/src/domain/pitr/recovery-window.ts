/** A copy of all files of a server, from which its log is played on. */
export interface BaseBackup {
  /** The log is needed from here on. */
  readonly firstSegment: string;
  /** Before its end the copy is no state of the database. */
  readonly endedAt: Date;
}

export interface ShippedSegment {
  readonly name: string;
  /** The name of the one that follows it. */
  readonly next: string;
  /** Every commit until then is in this segment or before it; null when it tells no time. */
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
  const log = inOrder(shipped);
  const usable = bases
    .filter((base) => base.endedAt.getTime() <= to.getTime() && isComplete(base.firstSegment, log))
    .sort((a, b) => a.endedAt.getTime() - b.endedAt.getTime());
  return usable[0] ? { from: usable[0].endedAt, to } : null;
}

function isComplete(first: string, log: readonly ShippedSegment[]): boolean {
  return log.some(({ name }) => name >= first) && missingSegment(first, log) === null;
}

/**
 * The first segment that is missing between `first` and the last of `log`.
 * @param log in the order of the names
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
  /** When the log is played no further. */
  readonly target: Date;
}

/**
 * What brings a database back to a moment: the newest copy from before it, and the log until a commit that comes after
 * it. Without such a commit the server would not know that it has arrived.
 * @param quietUntil nothing was committed between the last mark and then
 * @returns null when the moment cannot be restored
 */
export function recoveryPlan<B extends BaseBackup, S extends ShippedSegment>(
  bases: readonly B[],
  shipped: readonly S[],
  quietUntil: Date,
  at: Date,
): RecoveryPlan<B, S> | null {
  const ordered = inOrder(shipped);
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
    return { base, target, segments: reach.slice(0, until + 1) };
  }
  return null;
}

/** What follows without a gap. */
function reachOf<S extends ShippedSegment>(log: readonly S[], first: string): S[] {
  const reach: S[] = [];
  let expected = first;
  for (const segment of log) {
    if (segment.name !== expected) break;
    reach.push(segment);
    expected = segment.next;
  }
  return reach;
}

function inOrder<S extends ShippedSegment>(log: readonly S[]): S[] {
  return [...log].sort((a, b) => (a.name < b.name ? -1 : 1));
}
