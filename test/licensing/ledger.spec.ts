import { LedgerVerification } from '#libs/licensing';
import { aLicense, aSeller, type Seller } from '../support/builders/a-license.js';
import { cli } from '../support/processes/cli.js';
import { startLicensingApi, type LicensingApi } from '../support/licensing/licensing-api.js';

describe('the ledger', () => {
  let api: LicensingApi;
  let seller: Seller;

  beforeAll(async () => {
    api = await startLicensingApi();
    seller = await aSeller(api);
  });

  afterAll(() => api.close());

  const verify = (id: string | null) => api.app.get(LedgerVerification, { strict: false }).verify(id as never);

  async function aHistory(): Promise<string> {
    const { id } = await aLicense(seller);
    for (const call of ['suspend', 'resume', 'terminate']) await seller.client.post(`/v1/licenses/${id}/${call}`);
    return id;
  }

  /** Edits the ledger like somebody who owns the table and wants to hide the edit. */
  async function tamper(sql: string, values: unknown[]): Promise<void> {
    await api.sql('alter table licensing.ledger_events disable trigger ledger_is_append_only');
    await api.sql(sql, values);
    await api.sql('alter table licensing.ledger_events enable trigger ledger_is_append_only');
  }

  it.each([
    `update licensing.ledger_events set actor = 'x'`,
    'update licensing.ledger_events set actor = actor where false',
    'delete from licensing.ledger_events',
    'truncate licensing.ledger_events cascade',
  ])('refuses: %s', async (sql) => {
    await aHistory();
    await expect(api.sql(sql)).rejects.toThrow('append-only');
  });

  it('verifies as long as nobody edits it', async () => {
    const id = await aHistory();
    expect(await verify(id)).toEqual({ licenses: 1, events: 4, broken: null });
    const all = await verify(null);
    expect(all.broken).toBeNull();
    expect(all.licenses).toBeGreaterThan(1);
    const printed = await cli(api.database.url, ['ledger', 'verify', '--json']);
    expect([printed.code, JSON.parse(printed.stdout)]).toEqual([0, { intact: true, ...all }]);
  });

  it.each([
    ['an actor', `update licensing.ledger_events set actor = 'somebody' where license_id = $1 and position = 2`, 2],
    [
      'a time, by a microsecond',
      `update licensing.ledger_events set at = at + interval '1 microsecond' where license_id = $1 and position = 3`,
      3,
    ],
    ['a customer', `update licensing.ledger_events set customer_id = null where license_id = $1 and position = 1`, 1],
    ['data', `update licensing.ledger_events set data = '{"a":"b"}' where license_id = $1 and position = 4`, 4],
    [
      'an event',
      `update licensing.ledger_events set event = 'license.resumed' where license_id = $1 and position = 2`,
      2,
    ],
    [
      'an infinite time',
      `update licensing.ledger_events set at = 'infinity' where license_id = $1 and position = 2`,
      2,
    ],
  ])('reports an edit of %s at the edited row', async (_what, sql, position) => {
    const id = await aHistory();
    await tamper(sql, [id]);
    const [row] = await api.sql<{ id: string }>(
      'select id from licensing.ledger_events where license_id = $1 and position = $2',
      [id, position],
    );
    expect((await verify(id)).broken).toMatchObject({ licenseId: id, eventId: Number(row!.id) });
  });

  it('answers not found for an unknown license', async () => {
    const unknown = ['ledger', 'verify', '--license', '00000000-0000-4000-8000-000000000000', '--json'];
    const printed = await cli(api.database.url, unknown);
    expect([printed.code, JSON.parse(printed.stdout)]).toMatchObject([1, { error: { code: 'not-found' } }]);
  });

  it('reports a deleted row and a truncated tail', async () => {
    const [first, second] = [await aHistory(), await aHistory()];
    await tamper('delete from licensing.ledger_events where license_id = $1 and position = 2', [first]);
    expect((await verify(first)).broken?.reason).toBe('an event is missing before this one');
    await tamper(
      `with span as (update licensing.ownership_spans set days = daterange(lower(days), null), closed_by = null
                      where license_id = $1)
       delete from licensing.ledger_events where license_id = $1 and position = 4`,
      [second],
    );
    expect((await verify(second)).broken).toEqual({
      licenseId: second,
      eventId: null,
      reason: 'the license should have 4 events and has 3',
    });
    expect((await verify(null)).broken).not.toBeNull();
    const printed = await cli(api.database.url, ['ledger', 'verify', '--license', second]);
    expect([printed.code, printed.stdout]).toEqual([1, expect.stringContaining(second)]);
    const told = await cli(api.database.url, ['ledger', 'verify', '--license', second, '--json']);
    const error = { code: 'ledger-broken', message: expect.stringContaining(second) as string };
    expect([told.code, JSON.parse(told.stdout)]).toEqual([1, expect.objectContaining({ intact: false, error })]);
  });
});
