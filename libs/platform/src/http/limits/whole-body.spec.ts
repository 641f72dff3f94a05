import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { wholeBody } from './whole-body.js';

describe('wholeBody', () => {
  const LIMIT = 10;
  let body: PassThrough;
  let ended: { error: Error | null; text: string | null }[];

  const read = (announced = 0) =>
    wholeBody(body, { announced, limit: LIMIT }, (error, bytes) =>
      ended.push({ error, text: bytes && bytes.toString() }),
    );

  beforeEach(() => {
    body = new PassThrough();
    ended = [];
  });

  it.each([[[]], [['0123456789']], [['01', '23456789']]])('joins %j', async (pieces: string[]) => {
    read();
    for (const piece of pieces) body.write(piece);
    expect(ended).toEqual([]);
    body.end();
    await nextTurn();
    expect(ended).toEqual([{ error: null, text: pieces.join('') }]);
  });

  it('does not wait for a body announced as too long', () => {
    read(LIMIT + 1);
    expect(ended).toEqual([{ error: null, text: null }]);
  });

  it('ends at the first byte above the limit, and drops the rest', async () => {
    read();
    body.write('0123456789');
    await nextTurn();
    expect(ended).toEqual([]);
    for (let sent = 0; sent < 100; sent++) {
      body.write('0'.repeat(10_000));
      await nextTurn();
    }
    expect(ended).toEqual([{ error: null, text: null }]);
    expect(body.readableLength).toBe(0);
    body.destroy(new Error('the caller went away'));
    await nextTurn();
    expect(ended).toHaveLength(1);
  });

  it('reports a body that breaks off', async () => {
    read();
    body.write('01');
    body.destroy(new Error('the caller went away'));
    await nextTurn();
    expect(ended).toEqual([{ error: new Error('the caller went away'), text: null }]);
  });
});
