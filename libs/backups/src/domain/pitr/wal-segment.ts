/** Timeline, log number and segment number within the log, eight hexadecimal digits each. */
const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/;
/** A log number covers 4 GiB, which is 256 segments of 16 MiB. */
const SEGMENTS_IN_LOG = 256n;

export const SEGMENT_BYTES = 16 * 2 ** 20;

/** Whether the name is that of a WAL segment, and not of a timeline history or backup history file. */
export function isSegment(name: string): boolean {
  return SEGMENT.test(name);
}

/** The name of the segment that follows on the same timeline. @throws RangeError when `name` is not a segment's name */
export function segmentAfter(name: string): string {
  const [, timeline, log, number] = SEGMENT.exec(name) ?? [];
  if (timeline === undefined) throw new RangeError('this is no name of a segment');
  const next = BigInt(`0x${log}`) * SEGMENTS_IN_LOG + BigInt(`0x${number}`) + 1n;
  return timeline + hex(next / SEGMENTS_IN_LOG) + hex(next % SEGMENTS_IN_LOG);
}

const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0');
