import { BackupFailed } from '../../../domain/backup-errors.js';
import { type BinlogEvent, EventType, HEADER_BYTES, lengthOf, MAGIC } from '../../../domain/pitr/binlog/event.js';
import { UnreadableLog } from '../database-log.js';

const TORN = 'A part of the binary log is incomplete or damaged.';
const ENCRYPTED = 'The database encrypts its binary log, which the panel cannot read.';
const COMPRESSED =
  'The database compresses transactions in its binary log (binlog_transaction_compression), which the panel cannot read.';
const TYPE_AT = 4;
const END_AT = 13;

/**
 * The events of a piece of a file. The piece must contain whole events only.
 * @param offset position of the piece in the file
 * @throws BackupFailed when the bytes are not such a piece of a binary log
 */
export async function* eventsOf(content: AsyncIterable<Buffer>, offset: number): AsyncGenerator<BinlogEvent> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let wanted = offset === 0 ? MAGIC.length : HEADER_BYTES;
  let at = offset;
  for await (const chunk of content) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < wanted) continue;
    let rest = Buffer.concat(waiting, bytes);
    for (;;) {
      if (at === 0) {
        if (rest.length < MAGIC.length) break;
        if (!rest.subarray(0, MAGIC.length).equals(MAGIC)) throw new BackupFailed(TORN);
        rest = rest.subarray(MAGIC.length);
        at = MAGIC.length;
      }
      wanted = HEADER_BYTES;
      if (rest.length < wanted) break;
      wanted = lengthOf(rest);
      if (wanted < HEADER_BYTES) throw new BackupFailed(TORN);
      if (rest.length < wanted) break;
      yield eventAt(rest.subarray(0, wanted), at);
      rest = rest.subarray(wanted);
      at += wanted;
    }
    waiting = [rest];
    bytes = rest.length;
  }
  if (bytes > 0) throw new BackupFailed(TORN);
}

/** The header contains the position where the event ends, or 0 for some events within a transaction. */
function eventAt(raw: Buffer, offset: number): BinlogEvent {
  const end = raw.readUInt32LE(END_AT);
  if (end !== 0 && end !== (offset + raw.length) % 2 ** 32) throw new BackupFailed(TORN);
  return { type: raw.readUInt8(TYPE_AT), offset, raw };
}

/** @throws UnreadableLog for an event whose content the panel cannot read, and so cannot filter */
export function assertReadable({ type }: BinlogEvent): void {
  if (type === EventType.startEncryption) throw new UnreadableLog(ENCRYPTED);
  if (type === EventType.transactionPayload) throw new UnreadableLog(COMPRESSED);
}

/** Passes on a piece of a file unchanged, and fails when it does not consist of whole events that can be read. */
export async function* wholeEvents(content: AsyncIterable<Buffer>, offset: number): AsyncGenerator<Buffer> {
  if (offset === 0) yield MAGIC;
  for await (const event of eventsOf(content, offset)) {
    assertReadable(event);
    yield event.raw;
  }
}
