import { crc32, inflateSync } from 'node:zlib';
import {
  beginsTransaction,
  type BinlogEvent,
  compressedStatementOf,
  EventType,
  hasChecksums,
  inClear,
  isBetweenTransactions,
  MAGIC,
  schemaOf,
  secondOf,
  statementOf,
  withStatement,
} from '../../../domain/pitr/binlog/event.js';
import { placeOfName } from '../../../domain/pitr/binlog/place.js';
import { isAboutAccounts, withoutMissingTables } from '../../../domain/pitr/binlog/statements.js';
import type { KeptSegment } from '../database-log.js';
import { assertReadable, eventsOf } from './events.js';

const SYSTEM_SCHEMA = 'mysql';
const ANNOTATIONS: readonly number[] = [EventType.annotateRows, EventType.rowsQuery];
const BEGIN = /^(?:begin|start transaction)\b/i;

/** A position in the log. The number alone identifies a file here, because the segments belong to one history. */
export interface LogPosition {
  readonly file: number;
  readonly offset: number;
}

interface PlacedEvent extends BinlogEvent {
  readonly file: number;
}

/**
 * Where the first transaction begins that was committed in the second of `at` or later; null when there is none. The
 * search starts at the last mark before that second, since everything before a mark is known to be older.
 * @param start position of the copy; events before it are skipped
 */
export async function endBefore(
  segments: readonly KeptSegment[],
  start: LogPosition,
  at: Date,
): Promise<LogPosition | null> {
  const second = Math.floor(at.getTime() / 1000);
  const marked = segments.findLastIndex(({ markedAt }) => markedAt !== null && markedAt.getTime() < at.getTime());
  let begin: LogPosition | null = null;
  let isExact = false;
  for await (const event of allOf(segments.slice(marked + 1))) {
    if (isBetweenTransactions(event) || isBefore(event, start)) continue;
    if (begin === null || beginsTransaction(event)) {
      begin = event;
      isExact = false;
    }
    if (isExact) continue;
    const committed = secondOf(event);
    isExact = committed.isExact;
    if (committed.second >= second) return { file: begin.file, offset: begin.offset };
  }
  return null;
}

/**
 * One binary log with the transactions between two positions. Changes of accounts and privileges are left out, because
 * the server that it is played into has its own.
 * @param start inclusive
 * @param end exclusive; null: up to the end
 */
export async function* replayed(
  segments: readonly KeptSegment[],
  start: LogPosition,
  end: LogPosition | null,
): AsyncGenerator<Buffer> {
  let checksums = false;
  let held: BinlogEvent[] | null = null;
  let isLeftOut = false;
  yield MAGIC;
  for await (const found of allOf(segments)) {
    if (end !== null && !isBefore(found, end)) return;
    assertReadable(found);
    const event = { ...found, ...uncompressed(found, checksums) };
    if (event.type === EventType.formatDescription) {
      checksums = hasChecksums(event);
      yield event.raw;
      continue;
    }
    if (isBetweenTransactions(event) || isBefore(event, start)) continue;
    if (beginsTransaction(event)) {
      held = [];
      isLeftOut = false;
    }
    if (isLeftOut) continue;
    const passed = passedOn(event, checksums);
    if (held === null) {
      yield passed.raw;
      continue;
    }
    held.push(passed);
    const decision = isForeign(event, checksums);
    if (decision === null) continue;
    isLeftOut = decision;
    if (!isLeftOut) for (const { raw } of held) yield raw;
    held = null;
  }
}

async function* allOf(segments: readonly KeptSegment[]): AsyncGenerator<PlacedEvent> {
  for (const { name, open } of segments) {
    const { file, offset } = placeOfName(name);
    for await (const event of eventsOf(await open(), offset)) yield { ...event, file };
  }
}

function isBefore(a: LogPosition, b: LogPosition): boolean {
  return a.file < b.file || (a.file === b.file && a.offset < b.offset);
}

/** Whether the transaction of an event changes accounts or privileges; null when this event does not decide it. */
function isForeign(event: BinlogEvent, checksums: boolean): boolean | null {
  if (beginsTransaction(event) || ANNOTATIONS.includes(event.type)) return null;
  const schema = schemaOf(event);
  if (schema !== null) return schema === SYSTEM_SCHEMA;
  const statement = statementOf(event, checksums);
  if (statement === null) return event.type < EventType.xid ? null : false;
  return BEGIN.test(statement) ? null : isAboutAccounts(statement);
}

/** Expands a compressed statement, so that the filters of statements see its text. */
function uncompressed(event: BinlogEvent, checksums: boolean): BinlogEvent {
  const compressed = compressedStatementOf(event, checksums);
  return compressed ? inClear(event, inflateSync(compressed), checksums ? crc32 : null) : event;
}

function passedOn(event: BinlogEvent, checksums: boolean): BinlogEvent {
  const statement = statementOf(event, checksums);
  if (statement === null) return event;
  const changed = withoutMissingTables(statement);
  return changed === statement ? event : withStatement(event, changed, checksums ? crc32 : null);
}
