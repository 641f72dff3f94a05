/** Type codes of binary log events: the same for MySQL and MariaDB up to 42, MariaDB's own from 160. */
export const EventType = {
  query: 2,
  stop: 3,
  rotate: 4,
  formatDescription: 15,
  xid: 16,
  tableMap: 19,
  heartbeat: 27,
  rowsQuery: 29,
  gtid: 33,
  anonymousGtid: 34,
  previousGtids: 35,
  transactionPayload: 40,
  taggedGtid: 42,
  annotateRows: 160,
  binlogCheckpoint: 161,
  mariadbGtid: 162,
  gtidList: 163,
  startEncryption: 164,
  queryCompressed: 165,
} as const;

export const MAGIC = Buffer.from([0xfe, 0x62, 0x69, 0x6e]);
export const HEADER_BYTES = 19;
export const CHECKSUM_BYTES = 4;
const QUERY_HEADER_BYTES = 13;
const TYPE_AT = 4;
const LENGTH_AT = 9;
/** The low bits of the first byte: the size of the length that follows. */
const COMPRESSED_LENGTH = 0b111;

/** One event with its bytes as in the file, header included. */
export interface BinlogEvent {
  readonly type: number;
  /** Position of the first byte in the file. */
  readonly offset: number;
  readonly raw: Buffer;
}

/** Events that are written between transactions and change no data. */
const BETWEEN: readonly number[] = [
  EventType.stop,
  EventType.rotate,
  EventType.formatDescription,
  EventType.heartbeat,
  EventType.previousGtids,
  EventType.binlogCheckpoint,
  EventType.gtidList,
];
const BEGINNINGS: readonly number[] = [
  EventType.gtid,
  EventType.anonymousGtid,
  EventType.taggedGtid,
  EventType.mariadbGtid,
];

export const isBetweenTransactions = ({ type }: BinlogEvent): boolean => BETWEEN.includes(type);
export const beginsTransaction = ({ type }: BinlogEvent): boolean => BEGINNINGS.includes(type);

/** Length of the whole event in bytes. @param header at least the first 13 bytes of the event */
export const lengthOf = (header: Buffer): number => header.readUInt32LE(LENGTH_AT);

/** Whether the events after this format description event end with a checksum. */
export function hasChecksums({ raw }: BinlogEvent): boolean {
  return raw[raw.length - CHECKSUM_BYTES - 1] === 1;
}

/**
 * The second (Unix time) in which the transaction of an event was committed, as far as the event says. It is exact when
 * MySQL recorded the time of the commit. Otherwise the caller takes the latest second of all events of the transaction.
 */
export function secondOf({ type, raw }: BinlogEvent): { readonly second: number; readonly isExact: boolean } {
  const second = raw.readUInt32LE(0);
  if (type === EventType.query || type === EventType.queryCompressed)
    return { second: second + raw.readUInt32LE(HEADER_BYTES + 4), isExact: false };
  if (type !== EventType.gtid && type !== EventType.anonymousGtid) return { second, isExact: false };
  const microseconds = commitMicroseconds(raw);
  return microseconds === null
    ? { second, isExact: false }
    : { second: Math.floor(microseconds / 1_000_000), isExact: true };
}

/**
 * The immediate commit timestamp of a MySQL GTID event, in microseconds. It follows the flags, the server's UUID, the
 * transaction number, the type of logical clock and its two values. It has seven bytes; the highest bit is a flag.
 */
function commitMicroseconds(raw: Buffer): number | null {
  const at = HEADER_BYTES + 1 + 16 + 8 + 1 + 8 + 8;
  if (raw.length < at + 7) return null;
  const microseconds = raw.readUIntLE(at, 6) + (raw.readUInt8(at + 6) & 0x7f) * 2 ** 48;
  return microseconds === 0 ? null : microseconds;
}

/** The SQL text of a query event; null for events of other types. */
export function statementOf(event: BinlogEvent, checksums: boolean): string | null {
  return event.type === EventType.query ? textOf(event.raw, checksums).toString('utf8') : null;
}

/** The schema of the table that a table map event announces; null for events of other types. */
export function schemaOf({ type, raw }: BinlogEvent): string | null {
  const at = HEADER_BYTES + 8;
  return type === EventType.tableMap ? raw.toString('utf8', at + 1, at + 1 + raw.readUInt8(at)) : null;
}

/** The zlib data of a compressed statement of MariaDB; null for other events. */
export function compressedStatementOf(event: BinlogEvent, checksums: boolean): Buffer | null {
  if (event.type !== EventType.queryCompressed) return null;
  const text = textOf(event.raw, checksums);
  return text.subarray(1 + (text.readUInt8(0) & COMPRESSED_LENGTH));
}

/** A compressed event as a plain one. @param statement its expanded text @param checksum as for `withStatement` */
export function inClear(
  event: BinlogEvent,
  statement: Buffer,
  checksum: ((bytes: Buffer) => number) | null,
): BinlogEvent {
  const raw = Buffer.from(event.raw);
  raw.writeUInt8(EventType.query, TYPE_AT);
  return withStatement({ ...event, type: EventType.query, raw }, statement, checksum);
}

function textOf(raw: Buffer, checksums: boolean): Buffer {
  return raw.subarray(textStart(raw), raw.length - (checksums ? CHECKSUM_BYTES : 0));
}

function textStart(raw: Buffer): number {
  const schemaBytes = raw.readUInt8(HEADER_BYTES + 8);
  const variableBytes = raw.readUInt16LE(HEADER_BYTES + 11);
  return HEADER_BYTES + QUERY_HEADER_BYTES + variableBytes + schemaBytes + 1;
}

/** The same query event with another statement. @param checksum computes CRC-32; null when events have no checksum */
export function withStatement(
  { type, offset, raw }: BinlogEvent,
  statement: string | Buffer,
  checksum: ((bytes: Buffer) => number) | null,
): BinlogEvent {
  const body = Buffer.concat([raw.subarray(0, textStart(raw)), Buffer.from(statement)]);
  body.writeUInt32LE(body.length + (checksum ? CHECKSUM_BYTES : 0), LENGTH_AT);
  if (!checksum) return { type, offset, raw: body };
  const end = Buffer.alloc(CHECKSUM_BYTES);
  end.writeUInt32LE(checksum(body));
  return { type, offset, raw: Buffer.concat([body, end]) };
}
