import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EndMark } from './end-mark.js';

const MARK = 'f00dcafe';

async function passed(
  chunks: readonly string[],
  ending: () => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const mark = new EndMark(MARK, ending);
  let text = '';
  mark.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await pipeline(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), mark);
  return text;
}

describe('the end mark of a program’s output', () => {
  it.each([
    ['in one piece', [`some data${MARK}`]],
    ['in pieces of one byte', [...`some data${MARK}`]],
    ['cut inside of the mark', ['some da', 'taf00', 'dcafe']],
  ])('is taken off, %s', async (_, chunks) => expect(await passed(chunks)).toBe('some data'));

  it('is removed from an empty output', async () => expect(await passed([MARK])).toBe(''));

  it.each([
    ['without a mark', ['some data']],
    ['with a part of it', ['some data', MARK.slice(0, -1)]],
    ['with something behind it', [`some data${MARK}x`]],
    ['that is empty', []],
  ])('fails an output %s', async (_, chunks) => {
    await expect(passed(chunks)).rejects.toThrow('cut off');
  });

  it('does not make the output of a failed program valid', async () => {
    const ended = () => Promise.reject(new Error('pg_dump ended with 1.'));
    await expect(passed([`some data${MARK}`], ended)).rejects.toThrow('pg_dump ended with 1.');
  });
});
