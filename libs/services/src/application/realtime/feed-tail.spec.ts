import type { Uuid } from '#kernel/crypto/uuid';
import { FeedReader, type FeedEntry } from '../ports/realtime/feed-reader.js';
import { FeedTail } from './feed-tail.js';

/** A feed whose transactions commit when the test says so. */
class Table extends FeedReader {
  readonly seen = new Set<number>();
  readonly open = new Set<string>();

  newest = () => Promise.resolve(Math.max(0, ...this.seen));
  writers = () => Promise.resolve(new Set(this.open));
  missed = () => Promise.resolve(null);
  forget = () => Promise.resolve(0);
  after = (seq: number, limit: number) => {
    const found = [...this.seen].filter((one) => one > seq).sort((a, b) => a - b);
    return Promise.resolve(found.slice(0, limit).map(entry));
  };
}

const entry = (seq: number): FeedEntry => ({
  seq,
  type: 'service.status',
  serviceId: 's' as Uuid,
  customerId: null,
  deploymentId: null,
  data: {},
  at: new Date(0),
});

describe('following the feed', () => {
  let table: Table;
  let tail: FeedTail;
  const read = async () => (await tail.read()).map(({ seq }) => seq);

  beforeEach(() => {
    table = new Table();
    tail = new FeedTail(table);
  });

  it('gives each entry once, in order', async () => {
    await tail.begin();
    [1, 2, 3].forEach((seq) => table.seen.add(seq));
    expect([await read(), await read(), tail.position]).toEqual([[1, 2, 3], [], 3]);
  });

  it('waits for a lower number that is not committed yet', async () => {
    table.open.add('a');
    [1, 3].forEach((seq) => table.seen.add(seq));
    expect([await read(), await read()]).toEqual([[1], []]);
    table.seen.add(2);
    table.open.delete('a');
    expect(await read()).toEqual([2, 3]);
  });

  it('passes a number that was rolled back, whoever began to write since', async () => {
    table.open.add('a');
    [1, 3].forEach((seq) => table.seen.add(seq));
    expect(await read()).toEqual([1]);
    table.open.delete('a');
    table.open.add('b');
    expect(await read()).toEqual([3]);
    table.seen.add(5);
    expect(await read()).toEqual([]);
    table.open.delete('b');
    expect(await read()).toEqual([5]);
  });

  it('passes at once what nobody writes any more', async () => {
    [2, 7].forEach((seq) => table.seen.add(seq));
    expect(await read()).toEqual([2, 7]);
  });

  it('reads far more than one page', async () => {
    for (let seq = 1; seq <= 1_200; seq += 1) table.seen.add(seq);
    expect((await read()).length).toBe(1_200);
  });
});
