import { createHash } from 'node:crypto';
import pg from 'pg';
import { StatementQueries } from '#libs/billing';
import { PartnerAccount } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';
import { bulkWorld } from '../support/billing/bulk-world.js';
import { cli } from '../support/processes/cli.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

/** Exactly full pages of parts; and more parts than are buffered for the digests. */
describe.each([2_000, 10_001])('a statement of %i licenses', (licenses) => {
  let api: RunningPartnerApi;
  let partnerId: Uuid;
  let statementId: Uuid;

  beforeAll(async () => {
    api = await startPartnerApi();
    await bulkWorld(api.database.url, { partners: 1, licensesEach: licenses });
    const close = ['statements', 'finalize', '--period', '2025-03', '--by', 'Ada', '--review', '--yes', '--json'];
    const { stdout } = await cli(api.database.url, close);
    [{ id: statementId, partnerId }] = JSON.parse(stdout).finalized;
  }, 60_000);

  afterAll(() => api.close());

  const exported = (format: 'csv' | 'json') =>
    api.app.get(StatementQueries, { strict: false }).export(PartnerAccount.of(partnerId), statementId, format);

  it('is exported with each license once and matches its stored digest', async () => {
    const { content, sha256 } = await exported('csv');
    const pieces: Buffer[] = [];
    for await (const piece of content) pieces.push(piece);
    const csv = Buffer.concat(pieces);
    expect(createHash('sha256').update(csv).digest()).toEqual(sha256);
    const rows = csv.toString('utf8').trimEnd().split('\r\n').slice(1);
    const ids = rows.map((row) => row.split(',')[8]!);
    expect(new Set(ids).size).toBe(licenses);
    expect(ids).toEqual(await storedIds());
  });

  it('does not block the event loop between the pieces', async () => {
    let turns = 0;
    let next: NodeJS.Immediate;
    const count = () => {
      turns++;
      next = setImmediate(count);
    };
    next = setImmediate(count);
    const seen: number[] = [];
    for await (const piece of (await exported('json')).content) if (piece.length > 0) seen.push(turns);
    clearImmediate(next);
    expect(seen.length).toBeGreaterThan(licenses / 500);
    expect(new Set(seen).size).toBe(seen.length);
  });

  const storedIds = async (): Promise<string[]> => {
    const client = new pg.Client({ connectionString: api.database.url });
    await client.connect();
    const { rows } = await client.query<{ id: string }>('select id from licensing.licenses order by id');
    await client.end();
    return rows.map(({ id }) => id);
  };
});
