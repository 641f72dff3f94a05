import { crc32, deflateSync } from 'node:zlib';
import { Readable } from 'node:stream';
import { EventType, MAGIC, statementOf } from '../../../domain/pitr/binlog/event.js';
import { nameOfPlace } from '../../../domain/pitr/binlog/place.js';
import type { KeptSegment } from '../database-log.js';
import { eventsOf, wholeEvents } from './events.js';
import { endBefore, replayed } from './replay.js';

interface Told {
  readonly type: number;
  readonly second: number;
  readonly body?: Buffer;
}

const event = ({ type, second, body = Buffer.alloc(0) }: Told): Buffer => {
  const header = Buffer.alloc(19);
  header.writeUInt32LE(second, 0);
  header.writeUInt8(type, 4);
  header.writeUInt32LE(19 + body.length + 4, 9);
  const plain = Buffer.concat([header, body]);
  const end = Buffer.alloc(4);
  end.writeUInt32LE(crc32(plain));
  return Buffer.concat([plain, end]);
};
const query = (second: number, text: string, seconds = 0): Buffer => {
  const fixed = Buffer.alloc(13);
  fixed.writeUInt32LE(seconds, 4);
  return event({ type: EventType.query, second, body: Buffer.concat([fixed, Buffer.from(`\0${text}`)]) });
};
/** As MariaDB writes it with `log_bin_compress`: how many bytes the length has, the length, the statement. */
const compressedQuery = (second: number, text: string, seconds = 0): Buffer => {
  const fixed = Buffer.alloc(13);
  fixed.writeUInt32LE(seconds, 4);
  const length = Buffer.from([0x82, text.length >> 8, text.length & 0xff]);
  const body = Buffer.concat([fixed, Buffer.from('\0'), length, deflateSync(text)]);
  return event({ type: EventType.queryCompressed, second, body });
};
const format = event({ type: EventType.formatDescription, second: 1, body: Buffer.from([0, 0, 1]) });
const gtid = (second: number) => event({ type: EventType.mariadbGtid, second });
const rows = (second: number, schema: string) => {
  const body = Buffer.concat([Buffer.alloc(8), Buffer.from([schema.length]), Buffer.from(`${schema}\0`)]);
  return event({ type: EventType.tableMap, second, body });
};
const xid = (second: number) => event({ type: EventType.xid, second });
/** A GTID event of MySQL, which contains the microsecond of the commit. */
const exactGtid = (second: number, committed: number) => {
  const body = Buffer.alloc(49);
  body.writeUIntLE(committed * 1_000_000, 42, 6);
  body.writeUInt8(Math.floor((committed * 1_000_000) / 2 ** 48), 48);
  return event({ type: EventType.gtid, second, body });
};

const segment = (file: number, offset: number, parts: readonly Buffer[], markedAt: number | null): KeptSegment => ({
  name: nameOfPlace({ history: 1, file, made: '00000001', offset }),
  next: '',
  markedAt: markedAt === null ? null : new Date(markedAt * 1000),
  open: () => Promise.resolve(Readable.from(parts)),
});
const START = { file: 1, offset: 0 };
const at = (second: number) => new Date(second * 1000);

/** In chunks of one byte, the hardest case for a parser. */
async function collected(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a piece of a binary log', () => {
  const whole = Buffer.concat([MAGIC, format, gtid(5), rows(5, 'shop'), xid(5)]);

  it('is passed on unchanged, regardless of the sizes of chunks', async () => {
    const bytes = [...whole].map((byte) => Buffer.from([byte]));
    expect(await collected(wholeEvents(Readable.from(bytes), 0))).toEqual(whole);
    expect(await collected(wholeEvents(Readable.from([whole]), 0))).toEqual(whole);
    expect(await collected(wholeEvents(Readable.from([gtid(5), xid(5)]), 344))).toEqual(
      Buffer.concat([gtid(5), xid(5)]),
    );
    expect(await collected(wholeEvents(Readable.from([]), 344))).toEqual(Buffer.alloc(0));
  });

  it.each([
    ['cut off', whole.subarray(0, -1), 0],
    ['without its first event', whole.subarray(4), 0],
    ['that begins inside of an event', whole.subarray(10), 10],
    ['of zeros only', Buffer.alloc(40), 344],
  ])('is refused when it is one %s', async (_, bytes, offset) => {
    await expect(collected(wholeEvents(Readable.from([bytes]), offset))).rejects.toThrow('incomplete or damaged');
  });

  it.each([
    ['compressed by MySQL', EventType.transactionPayload, /binlog_transaction_compression/],
    ['encrypted', EventType.startEncryption, /encrypts/],
  ])('is refused when it is %s: nobody can tell what is about accounts', async (_, type, message) => {
    const log = Buffer.concat([MAGIC, format, gtid(5), event({ type, second: 5, body: Buffer.alloc(60) })]);
    await expect(collected(wholeEvents(Readable.from([log]), 0))).rejects.toThrow(message);
    await expect(collected(replayed([segment(1, 0, [log], 9)], START, null))).rejects.toThrow(message);
  });

  it('is refused when an event contains a wrong end position', async () => {
    const moved = gtid(5);
    moved.writeUInt32LE(9_999, 13);
    await expect(collected(wholeEvents(Readable.from([moved]), 344))).rejects.toThrow('incomplete or damaged');
  });
});

describe('the end of a log at a second', () => {
  const transaction = (begun: number, committed: number) => [gtid(begun), rows(begun, 'shop'), xid(committed)];
  const bytesOf = (parts: readonly Buffer[]) => Buffer.concat(parts).length;

  it('is before the first transaction that was committed in that second or later, and not before one that only began then', async () => {
    const [first, second] = [transaction(5, 5), transaction(5, 8)];
    const log = [segment(1, 0, [MAGIC, format, ...first, ...second], 20)];
    const begin = { file: 1, offset: 4 + format.length };
    expect(await endBefore(log, START, at(5))).toEqual(begin);
    expect(await endBefore(log, START, at(6))).toEqual({ file: 1, offset: begin.offset + bytesOf(first) });
    expect(await endBefore(log, START, at(9))).toBeNull();
  });

  it('takes the duration of a change of definitions into account', async () => {
    const log = [segment(1, 4, [gtid(5), query(5, 'alter table t add n int', 4)], 20)];
    expect(await endBefore(log, START, at(9))).toEqual({ file: 1, offset: 4 });
    expect(await endBefore(log, START, at(10))).toBeNull();
  });

  it('uses the commit time that MySQL records', async () => {
    const log = [segment(1, 4, [exactGtid(5, 8), query(5, 'BEGIN'), rows(5, 'shop'), xid(5)], 20)];
    expect(await endBefore(log, START, at(8))).toEqual({ file: 1, offset: 4 });
    expect(await endBefore(log, START, at(9))).toBeNull();
  });

  it('skips events before a mark and before the copy, which are known to be older', async () => {
    // Like a client that sets the time of its session.
    const future = transaction(900, 900);
    const log = [segment(1, 4, future, 10), segment(1, 4 + bytesOf(future), transaction(11, 11), 20)];
    expect(await endBefore(log, START, at(12))).toBeNull();
    expect(await endBefore(log, START, at(11))).toEqual({ file: 1, offset: 4 + bytesOf(future) });
    expect(await endBefore(log.slice(0, 1), { file: 1, offset: 4 + bytesOf(future) }, at(9))).toBeNull();
  });
});

describe('the replayed log', () => {
  const statements = async (log: readonly KeptSegment[], start = START, end: typeof START | null = null) => {
    const texts: (string | number)[] = [];
    for await (const found of eventsOf(replayed(log, start, end), 0))
      texts.push(statementOf(found, true) ?? found.type);
    return texts;
  };

  it('leaves out changes of accounts and of system tables, and nothing else', async () => {
    const log = [
      segment(1, 0, [MAGIC, format, gtid(1), query(1, "create user bob identified by 'x'")], null),
      segment(1, 1000, [gtid(2), query(2, 'create table t (n int)'), gtid(2), rows(2, 'mysql'), xid(2)], null),
      segment(1, 2000, [gtid(3), query(3, 'BEGIN'), rows(3, 'shop'), rows(3, 'mysql2'), xid(3)], null),
      segment(2, 0, [MAGIC, format, gtid(4), query(4, 'DROP TABLE `a`')], 5),
    ];
    const { formatDescription, mariadbGtid, tableMap, xid: end } = EventType;
    expect(await statements(log)).toEqual([
      ...[formatDescription, mariadbGtid, 'create table t (n int)'],
      ...[mariadbGtid, 'BEGIN', tableMap, tableMap, end],
      ...[formatDescription, mariadbGtid, 'DROP TABLE if exists `a`'],
    ]);
  });

  it('leaves out accounts in compressed statements too, and passes the others on in clear', async () => {
    const text = `insert into t values ('${'x'.repeat(300)}')`;
    const parts = [gtid(1), compressedQuery(1, "create user bob identified by 'x'"), gtid(2), compressedQuery(2, text)];
    const found = await statements([segment(1, 0, [MAGIC, format, ...parts], 5)]);
    expect(found).toEqual([EventType.formatDescription, EventType.mariadbGtid, text]);
    const log = [segment(1, 4, [gtid(5), compressedQuery(5, 'alter table t add n int', 4)], 20)];
    expect(await endBefore(log, START, at(9))).toEqual({ file: 1, offset: 4 });
  });

  it('begins after the copy and stops at the given end', async () => {
    const parts = [gtid(1), query(1, 'one'), gtid(2), query(2, 'two'), gtid(3), query(3, 'three')];
    const offset = (count: number) => 4 + format.length + Buffer.concat(parts.slice(0, count)).length;
    const log = [segment(1, 0, [MAGIC, format, ...parts], 5)];
    const found = await statements(log, { file: 1, offset: offset(2) }, { file: 1, offset: offset(4) });
    expect(found).toEqual([EventType.formatDescription, EventType.mariadbGtid, 'two']);
  });

  it('has a correct checksum when a statement was changed', async () => {
    const log = [segment(1, 0, [MAGIC, format, gtid(1), query(1, 'DROP VIEW `a`')], 5)];
    const played = await collected(replayed(log, START, null));
    const last = played.subarray(-query(1, 'DROP VIEW if exists `a`').length);
    expect(last.readUInt32LE(last.length - 4)).toBe(crc32(last.subarray(0, -4)));
  });
});
