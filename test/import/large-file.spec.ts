import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtProgram } from '../support/processes/built-program.js';
import { LedgerVerification } from '#libs/licensing';
import { aLicense, aSeller, type Seller } from '../support/builders/a-license.js';
import { customerLine, licenseLine, ownerLines } from '../support/builders/import-lines.js';
import { jsonLines } from '../support/licensing/import-file.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

const MAIN = builtProgram('cli');
/** The flag with which tools/cli.mjs and the image start the CLI. */
const MODEST_HEAP = '--heap-growing-percent=20';
const CUSTOMERS = 8_000;
const LICENSES = 2_000;
const MEBIBYTE = 1_048_576;
/** Prints the peak memory of the process, in KiB, as the last line on stderr. */
const TELL_MEMORY =
  'data:text/javascript,process.on("exit",()=>process.stderr.write(`\\n${process.resourceUsage().maxRSS}`))';

/** A customer whose line has 7,000 characters. */
function longCustomer(n: number) {
  const fields = ['Street', 'PostalCode', 'City', 'Region'].flatMap((part) => [`billing${part}`, `postal${part}`]);
  const long = [...fields, 'vatId', 'phone'].map((field) => [field, 'x'.repeat(490)] as const);
  return customerLine(`c${n}`, 'a', { ...Object.fromEntries(long), filler: 'y'.repeat(2_000) });
}

describe('a file of sixty megabytes', () => {
  let api: RunningPartnerApi;
  let seller: Seller;
  const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-import-'));
  const file = path.join(folder, 'history.jsonl');

  beforeAll(async () => {
    api = await startPartnerApi();
    seller = await aSeller(api);
    const out = createWriteStream(file);
    out.write(jsonLines(ownerLines('a')));
    for (let n = 0; n < CUSTOMERS; n++) {
      if (!out.write(jsonLines([longCustomer(n)]))) await once(out, 'drain');
    }
    for (let n = 0; n < LICENSES; n++) out.write(jsonLines([licenseLine(`l${n}`, { key: `KEY-${n}` })]));
    out.end();
    await once(out, 'finish');
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await api.close();
  });

  /** Typical calls of partners. @returns the statuses of the answers */
  async function aRoundOfCalls(): Promise<number[]> {
    const { client } = seller;
    const { id } = await aLicense(seller);
    const answers = [
      await client.get(`/v1/licenses/${id}`),
      await client.get('/v1/licenses?limit=200'),
      await client.post(`/v1/licenses/${id}/suspend`),
      await client.post('/v1/customers', { name: 'Meanwhile' }),
      await client.get('/v1/customers'),
      await client.patch(`/v1/customers/${seller.customerId}`, { phone: id }),
    ];
    return answers.map(({ status }) => status);
  }

  it('is imported with less than 300 MB of memory while the API keeps serving, and its ledger verifies', async () => {
    const child = spawn(process.execPath, [MODEST_HEAP, '--import', TELL_MEMORY, MAIN, 'import', file, '--json'], {
      env: { PATH: process.env.PATH, DATABASE_URL: api.database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    let running = true;
    const ended = once(child, 'close').finally(() => (running = false));
    const rounds: number[][] = [];
    while (running) {
      rounds.push(await aRoundOfCalls());
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const [code] = await ended;
    expect([code, JSON.parse(stdout).imported]).toEqual([
      0,
      { partner: 1, contract: 1, customer: CUSTOMERS + 1, contact: 0, license: LICENSES, event: 0, transfer: 0 },
    ]);
    expect((Number(stderr.split('\n').at(-1)) * 1024) / MEBIBYTE).toBeLessThan(300);
    expect(rounds.length).toBeGreaterThan(5);
    expect(new Set(rounds.map(String))).toEqual(new Set(['200,200,200,201,200,200']));
    const report = await api.app.get(LedgerVerification, { strict: false }).verify(null);
    expect(report).toMatchObject({ broken: null, licenses: LICENSES + rounds.length });
  }, 120_000);
});
