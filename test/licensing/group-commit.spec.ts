import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { LedgerVerification } from '#libs/licensing';
import { LicenseWriter } from '../../libs/licensing/src/application/ports/license-writer.js';
import { aContract } from '../support/builders/a-world.js';
import { aLicense, aSeller, type Seller } from '../support/builders/a-license.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

/** Writes that wait at the same time share one transaction. No caller may notice. */
describe('writes of licenses that share a transaction', () => {
  let api: RunningPartnerApi;
  let second: RunningPartnerApi;
  let pool: pg.Pool;
  let seller: Seller;

  beforeAll(async () => {
    const settings = { PC_RATE_RPS: '10000', PC_RATE_BURST: '10000' };
    api = await startPartnerApi({ settings });
    second = await startPartnerApi({ settings, database: api.database });
    pool = new pg.Pool({ connectionString: api.database.url, max: 2 });
    pool.on('error', () => undefined);
    seller = await aSeller(api);
    await aLicense(seller);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await pool.end();
    await second.close();
    await api.close();
  });

  const issue = (reference: string, body: object = {}) => {
    const { customerId, contractId, client } = seller;
    const order = { customerId, contractId, edition: 'web-host', externalBillingRef: reference, ...body };
    return client.post('/v1/licenses', order);
  };
  const names = (what: string, count: number) => Array.from({ length: count }, (_, n) => `${what} ${n}`);
  const written = async (what: string) =>
    (
      await pool.query<{ reference: string; tx: string; entries: number; stays: number; records: number }>(
        `select l.external_billing_ref as reference, l.xmin::text as tx,
                (select count(*)::int from licensing.ledger_events e where e.license_id = l.id) as entries,
                (select count(*)::int from licensing.ownership_spans s where s.license_id = l.id) as stays,
                (select count(*)::int from license_service.licenses u where u.id = l.upstream_license_id) as records
           from licensing.licenses l where l.external_billing_ref like $1 order by 1`,
        [`${what} %`],
      )
    ).rows;
  const truth = async () =>
    expect((await api.app.get(LedgerVerification, { strict: false }).verify(null)).broken).toBeNull();

  it('need fewer transactions than licenses, and each license is complete', async () => {
    const answers = await Promise.all(names('shared', 60).map((name) => issue(name)));
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(201));
    const rows = await written('shared');
    expect(rows.map(({ entries, stays, records }) => [entries, stays, records])).toEqual(Array(60).fill([1, 1, 1]));
    expect(new Set(rows.map(({ tx }) => tx)).size).toBeLessThan(60);
    await truth();
  });

  it('all succeed except the one that violates a constraint', async () => {
    await pool.query(
      `alter table licensing.licenses add constraint nothing_unlucky check (external_billing_ref not like '%: unlucky')`,
    );
    const references = names('stands', 24).map((name, n) => (n === 7 ? `${name}: unlucky` : name));
    const answers = await Promise.all(references.map((name) => issue(name)));
    await pool.query('alter table licensing.licenses drop constraint nothing_unlucky');
    expect(answers.map(({ status }) => status)).toEqual(references.map((_, n) => (n === 7 ? 500 : 201)));
    expect((await written('stands')).map(({ reference }) => reference)).toEqual(
      references.filter((_, n) => n !== 7).sort(),
    );
    await truth();
  });

  it('do not wait for a write that waits for a lock', async () => {
    const issued = await Promise.all(names('locked', 8).map((name) => issue(name)));
    const ids = issued.map(({ body }) => body.license.id as string);
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from licensing.licenses where id = $1 for update', [ids[3]]);
    let ended = false;
    const suspended = ids.map((id) => seller.client.post(`/v1/licenses/${id}/suspend`));
    void suspended[3]!.then(() => (ended = true));
    const others = await Promise.all(suspended.filter((_, n) => n !== 3));
    expect([ended, ...others.map(({ body }) => body.state)]).toEqual([false, ...Array<string>(7).fill('suspended')]);
    await holder.query('commit');
    holder.release();
    expect((await suspended[3]!).body.state).toBe('suspended');
    await truth();
  });

  it('are each complete or absent if their connection is cut, and later ones are written', async () => {
    // The write and the commit behind it wait for this lock.
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('lock table licensing.key_handovers in exclusive mode');
    const answers = names('cut', 6).map((name) => issue(name));
    await pause(60);
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database() and query not like '%pg_stat_activity%'`,
    );
    await holder.query('commit');
    holder.release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    const rows = await written('cut');
    expect(rows.map(({ entries, stays, records }) => [entries, stays, records])).toEqual(rows.map(() => [1, 1, 1]));
    expect(rows).toHaveLength(statuses.filter((status) => status === 201).length);
    expect(statuses.every((status) => status === 201 || status >= 500)).toBe(true);
    expect((await issue('cut, later')).status).toBe(201);
    await truth();
  });

  it('leave license, ledger and license service consistent after 200 calls on one license, over two processes', async () => {
    const { id } = await aLicense(seller);
    const clients = [seller.client, second.as(seller.partner.writeToken)];
    const calls = ['suspend', 'resume', 'edition'] as const;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const call = calls[n % 3]!;
        const body = call === 'edition' ? { edition: n % 2 ? 'web-pro' : 'web-host' } : undefined;
        return clients[n % 2]!.post(`/v1/licenses/${id}/${call}`, body);
      }),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const { rows } = await pool.query<{ event: string }>(
      `select event from licensing.ledger_events where license_id = $1 and event in ('license.suspended', 'license.resumed') order by position`,
      [id],
    );
    rows.forEach(({ event }, n) => expect(event).toBe(n % 2 ? 'license.resumed' : 'license.suspended'));
    const { state } = (await seller.client.get(`/v1/licenses/${id}`)).body;
    expect(state).toBe(rows.length % 2 ? 'suspended' : 'active');
    await truth();
  });

  it('are refused for a customer that is deleted meanwhile', async () => {
    const writer = api.app.get(LicenseWriter, { strict: false });
    const { id: contractId } = await aContract(api.app, seller.partner.id);
    const { body } = await seller.client.post('/v1/customers', { name: 'Short-lived' });
    const write = writer.issue.bind(writer);
    jest.spyOn(writer, 'issue').mockImplementationOnce(async (...what) => {
      expect((await seller.client.delete(`/v1/customers/${body.id}`)).status).toBe(204);
      return write(...what);
    });
    const answer = await issue('too late', { customerId: body.id, contractId });
    expect(answer.status).toBe(404);
    const records = await pool.query(
      `select 1 from license_service.licenses u
        where not exists (select 1 from licensing.licenses l where l.upstream_license_id = u.id)`,
    );
    expect(records.rows).toEqual([]);
  });
});
