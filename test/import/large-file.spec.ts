import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { licenseLine, ownerLines } from '../support/builders/import-lines.js';
import { cli } from '../support/cli.js';
import { jsonLines } from '../support/import-file.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const MAIN = path.resolve(__dirname, '../../dist/apps/cli/src/main.js');
const LINES = 100_000;
const MEBIBYTE = 1_048_576;
/** The last line on stderr is the most memory that the process ever had, in KiB. */
const TELL_MEMORY =
  'data:text/javascript,process.on("exit",()=>process.stderr.write(`\\n${process.resourceUsage().maxRSS}`))';

describe('a file of a hundred thousand licenses', () => {
  let database: TestDatabase;
  const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-import-'));
  const file = path.join(folder, 'history.jsonl');

  beforeAll(async () => {
    database = await createTestDatabase();
    const out = createWriteStream(file);
    out.write(jsonLines(ownerLines('a')));
    for (let n = 0; n < LINES; n += 1_000) {
      const licenses = Array.from({ length: 1_000 }, (_, index) =>
        licenseLine(`l${n + index}`, { key: `KEY-${n + index}` }),
      );
      if (!out.write(jsonLines(licenses))) await once(out, 'drain');
    }
    out.end();
    await once(out, 'finish');
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await database.drop();
  });

  it('is imported by a process that is allowed 128 MiB of heap and takes less than 300 in all; its ledger verifies', async () => {
    const child = spawn(
      process.execPath,
      ['--max-old-space-size=128', '--import', TELL_MEMORY, MAIN, 'import', file, '--json'],
      {
        env: { PATH: process.env.PATH, DATABASE_URL: database.url },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = await once(child, 'close');
    expect([code, JSON.parse(stdout).imported.license]).toEqual([0, LINES]);
    expect((Number(stderr.split('\n').at(-1)) * 1024) / MEBIBYTE).toBeLessThan(300);
    const verified = await cli(database.url, ['ledger', 'verify', '--json']);
    expect(JSON.parse(verified.stdout)).toMatchObject({ intact: true, licenses: LINES, events: LINES });
  }, 600_000);
});
