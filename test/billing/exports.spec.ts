import { createHash } from 'node:crypto';
import pg from 'pg';
import { aPartner } from '../support/builders/a-partner.js';
import { FixedClock } from '../support/fixed-clock.js';
import { Staff } from '../support/billing/closing.js';
import { downloads } from '../support/billing/downloads.js';
import { LiveWorld } from '../support/billing/live-world.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';
import type { HttpClient } from '../support/http/http-client.js';

describe('exports of a statement', () => {
  const clock = new FixedClock('2026-06-01T08:00:00.000Z');
  let api: RunningPartnerApi;
  let staff: Staff;
  let world: LiveWorld;
  let client: HttpClient;
  let id: string;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    staff = new Staff(api, clock);
    world = await LiveWorld.begin(api.app, clock);
    await world.sign({ id: 'cA', partner: 'A', model: 'per_instance_metered', currency: 'EUR', unitPriceCents: 1000 });
    await world.sign({
      id: 'cP',
      partner: 'A',
      model: 'prepaid_pack',
      currency: 'EUR',
      unitPriceCents: 0,
      packSize: 5,
    });
    await world.issue('formula', 'cA');
    await world.issue('plain', 'cA');
    await world.issue('drawn', 'cP');
    await onDatabase(`update licensing.licenses set key_masked = '=1+2,"x"' where id = '${world.license('formula')}'`);
    clock.set('2026-07-02T00:00:00.000Z');
    id = (await staff.finalize('2026-06', '--review')).json.finalized[0].id;
    client = api.as(world.partner('A').readToken);
  });

  afterAll(() => api.close());

  const onDatabase = async (sql: string) => {
    const connection = new pg.Client({ connectionString: api.database.url });
    await connection.connect();
    await connection.query(sql);
    await connection.end();
  };

  it('are attachments named after partner, month and revision', async () => {
    const csv = await client.get(`/v1/statements/${id}/export?format=csv`);
    const name = `statement_${world.partner('A').id}_2026-06_r1`;
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="${name}.csv"`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const json = await client.get(`/v1/statements/${id}/export?format=json`);
    expect(json.headers.get('content-disposition')).toBe(`attachment; filename="${name}.json"`);
    expect(json.text).toBe((await client.get(`/v1/statements/${id}`)).text);
  });

  it('have a row for each license and one for any other contract, and no formula', async () => {
    const { csv } = await downloads(client, id);
    expect(csv).toContain(`,${world.license('formula')},"'=1+2,""x""",30,1,1000,1000,,\r\n`);
    const pack = `,${world.contract('cP').contractId},prepaid_pack,EUR,,,,1,0,0,1,4\r\n`;
    expect(csv).toContain(pack);
    expect(csv.split('\r\n')).toHaveLength(1 + 3 + 1);
  });

  it('always have the bytes whose SHA-256 was stored at finalization, with the names of that time', async () => {
    const before = await downloads(client, id);
    const digests = await Promise.all(
      ['csv', 'json'].map(async (format) => {
        const answer = await client.get(`/v1/statements/${id}/export?format=${format}`);
        const sha256 = createHash('sha256').update(answer.text).digest('base64');
        return [answer.headers.get('repr-digest'), `sha-256=:${sha256}:`];
      }),
    );
    for (const [kept, computed] of digests) expect(kept).toBe(computed);
    await onDatabase(`update licensing.licenses set key_masked = '…OTHER1'`);
    await world.terminate('plain');
    expect(await downloads(client, id)).toEqual(before);

    await world.transfer('formula', 'cP', '2026-06-10');
    expect(await downloads(client, id)).toEqual(before);
    await staff.correct(id);
    const after = await downloads(client, id);
    expect(after.csv).toBe(before.csv);
    expect(after.json).toBe(before.json.replace('"status":"finalized"', '"status":"superseded"'));
    const superseded = await client.get(`/v1/statements/${id}/export?format=json`);
    const sha256 = createHash('sha256').update(superseded.text).digest('base64');
    expect(superseded.headers.get('repr-digest')).toBe(`sha-256=:${sha256}:`);
  });

  it('print the names of the finalization, even if they changed after the review', async () => {
    clock.set('2026-06-01T08:00:00.000Z');
    const other = await LiveWorld.begin(api.app, clock);
    await other.sign({ id: 'cZ', partner: 'Z', model: 'per_instance_metered', currency: 'EUR', unitPriceCents: 1000 });
    await other.issue('renamed', 'cZ');
    clock.set('2026-07-02T00:00:00.000Z');
    const only = ['--partner', other.partner('Z').id];
    await staff.review('2026-06', ...only);
    await onDatabase(
      `update licensing.licenses set key_masked = '…RE\\NAMED' where id = '${other.license('renamed')}'`,
    );
    const run = await staff.finalize('2026-06', ...only);
    const reader = api.as(other.partner('Z').readToken);
    for (const format of ['csv', 'json']) {
      const answer = await reader.get(`/v1/statements/${run.json.finalized[0].id}/export?format=${format}`);
      expect(format === 'csv' ? answer.text : answer.body.lines[0].detail[0].keyMasked).toContain('…RE\\NAMED');
      const sha256 = createHash('sha256').update(answer.text).digest('base64');
      expect(answer.headers.get('repr-digest')).toBe(`sha-256=:${sha256}:`);
    }
  });

  it.each(['', '?format=', '?format=xml', '?format=CSV', '?format=csv&format=json'])(
    'are refused with 422 for the query "%s"',
    async (query) => {
      const answer = await client.get(`/v1/statements/${id}/export${query}`);
      expect(answer.status).toBe(422);
      expect(answer.body.error.message).toContain('format');
    },
  );

  it('do not exist for any other partner, including an ancestor', async () => {
    const strangers = [await aPartner(api.app), await aPartner(api.app, { parentId: world.partner('A').id })];
    for (const token of strangers.map(({ readToken }) => readToken)) {
      for (const path of ['', '/export?format=csv', '/proof']) {
        const foreign = await api.as(token).get(`/v1/statements/${id}${path}`);
        const missing = await api.as(token).get(`/v1/statements/11111111-2222-4333-8444-555555555555${path}`);
        expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
        expect((await api.as(token).get(`/v1/statements/nonsense${path}`)).text).toBe(missing.text);
      }
      expect((await api.as(token).get('/v1/statements')).body).toEqual([]);
    }
  });
});
