/** Timeline, number of the log and number in the log, each of eight hexadecimal digits. */
const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/;
/** A log of 4 GiB has so many segments of 16 MiB. */
const SEGMENTS_IN_LOG = 256n;

export const SEGMENT_BYTES = 16 * 2 ** 20;

/** Whether the name is one of a whole piece of PostgreSQL's log, and not of its notes on timelines and backups. */
export function isSegment(name: string): boolean {
  return SEGMENT.test(name);
}

/** @throws RangeError for a text that is no name of a segment */
export function segmentAfter(name: string): string {
  const [, timeline, log, number] = SEGMENT.exec(name) ?? [];
  if (timeline === undefined) throw new RangeError('this is no name of a segment');
  const next = BigInt(`0x${log}`) * SEGMENTS_IN_LOG + BigInt(`0x${number}`) + 1n;
  return timeline + hex(next / SEGMENTS_IN_LOG) + hex(next % SEGMENTS_IN_LOG);
}

const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0');
