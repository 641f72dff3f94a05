import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DumpWatch } from './dump-watch.js';
import { MARIADB_TOOLS } from './mysql-tools.js';

const HEAD = "-- MariaDB dump\n-- CHANGE MASTER TO MASTER_LOG_FILE='mariadb-bin.000002', MASTER_LOG_POS=344;\n";
const END = '-- Dump completed on 2026-05-01\n';

async function watched(chunks: readonly string[]) {
  const told: (string | null)[] = [];
  const watch = new DumpWatch(MARIADB_TOOLS.position, (position) => told.push(position));
  watch.resume();
  const outcome = await pipeline(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), watch).then(
    () => 'complete',
    (error: Error) => error.message,
  );
  return { told, outcome };
}

describe('the watch on a dump of MariaDB', () => {
  it('reports the position once, and accepts a dump with its last line', async () => {
    const expected = { told: ['mariadb-bin.000002:344'], outcome: 'complete' };
    expect(await watched([HEAD, 'insert;', END])).toEqual(expected);
    expect(await watched([...(HEAD + END)])).toEqual(expected);
  });

  it('refuses a dump without its last line', async () => {
    expect((await watched([HEAD, 'insert;'])).outcome).toBe('The dump ends before its last line.');
  });

  it('reports when a dump contains no position, so that nobody waits for it', async () => {
    expect((await watched([END])).told).toEqual([null]);
    expect((await watched([])).told).toEqual([null]);
    expect((await watched(['x'.repeat(70_000), END])).told).toEqual([null]);
  });
});
