import pg from 'pg';
import { LedgerVerification } from '#libs/licensing';
import { aLicense, aSeller, type Seller } from '../support/builders/a-license.js';
import { aContract } from '../support/builders/a-world.js';
import { startKillableApi } from '../support/killable-api.js';
import { newSecretsKeys } from '../support/license-service.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

/**
 * The API is killed between two effects, another one starts, and nothing is half done. The calls go to a process of
 * its own; this process watches over the same database.
 */
describe('an API that is killed', () => {
  const secrets = { SECRETS_KEYS: newSecretsKeys() };
  let watch: RunningPartnerApi;
  let seller: Seller;
  let pool: pg.Pool;

  beforeAll(async () => {
    watch = await startPartnerApi({ settings: secrets });
    seller = await aSeller(watch);
    pool = new pg.Pool({ connectionString: watch.database.url, max: 2 });
    pool.on('error', () => undefined);
  });

  afterAll(async () => {
    await pool.end();
    await watch.close();
  });

  const sql = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;

  /** Sends the call to an API that dies at the place. @returns the answer's status, or null when none came */
  async function callAndDie(
    place: string,
    path: string,
    body: object | undefined,
    headers: Record<string, string> = {},
  ) {
    const api = await startKillableApi(watch.database.url, place, secrets);
    const status = await post(api.url, path, body, headers).then(
      (response) => response.status,
      () => null,
    );
    expect(await api.ended).toBe('SIGKILL');
    return status;
  }

  const post = (url: string, path: string, body: object | undefined, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body: body && JSON.stringify(body),
      headers: {
        authorization: `Bearer ${seller.partner.writeToken}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
    });

  /** Starts the next API and waits until nothing is on the way any more. */
  async function recover<T>(work: (url: string) => Promise<T>): Promise<T> {
    const api = await startKillableApi(watch.database.url, null, secrets);
    try {
      const result = await work(api.url);
      for (let n = 0; n < 100 && (await unfinished()) > 0; n++)
        await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await unfinished()).toBe(0);
      await expectOneTruth();
      return result;
    } finally {
      await api.kill('SIGTERM');
    }
  }

  async function unfinished(): Promise<number> {
    const [row] = await sql(
      `select (select count(*) from licensing.pending_changes) + (select count(*) from licensing.reservations) as n`,
    );
    return Number(row.n);
  }

  async function expectOneTruth(): Promise<void> {
    const differing = await sql(
      `select l.id, u.id as upstream, l.state, u.suspended, u.revoked_at, l.edition, p.edition as policy
         from licensing.licenses l
         full join license_service.licenses u on u.id = l.upstream_license_id
         left join license_service.policies p on p.id = u.policy_id
        where (l.id is null and u.revoked_at is null) or (l.id is not null and u.id is null)
           or (l.state = 'terminated') <> (u.revoked_at is not null)
           or (l.state = 'suspended') <> u.suspended and u.revoked_at is null
           or l.edition <> p.edition`,
    );
    expect(differing).toEqual([]);
    expect((await watch.app.get(LedgerVerification, { strict: false }).verify(null)).broken).toBeNull();
  }

  const eventsOf = async (id: string) =>
    (await sql('select event from licensing.ledger_events where license_id = $1 order by position', [id])).map(
      ({ event }) => event,
    );

  const wish = () => ({ customerId: seller.customerId, contractId: seller.contractId, edition: 'web-host' });

  it.each(['issue: reserved', 'issue: key made'])('at "%s" leaves no license and no key', async (place) => {
    const before = await sql('select id from licensing.licenses');
    expect(await callAndDie(place, '/v1/licenses', wish())).toBeNull();
    await recover(() => Promise.resolve());
    expect(await sql('select id from licensing.licenses')).toHaveLength(before.length);
  });

  it.each(['issue: reserved', 'issue: key made', 'issue: committed'])(
    'at "%s" gives the repeat under the same key one license with a usable key',
    async (place) => {
      const before = await sql('select id from licensing.licenses');
      const headers = { 'idempotency-key': `killed at ${place}` };
      expect(await callAndDie(place, '/v1/licenses', wish(), headers)).toBeNull();
      const { license, key } = await recover(async (url) => {
        let answer = await post(url, '/v1/licenses', wish(), headers);
        // The reconciler may be undoing the first try at this moment.
        for (let n = 0; n < 50 && answer.status === 503; n++) answer = await post(url, '/v1/licenses', wish(), headers);
        expect(answer.status).toBe(201);
        return (await answer.json()) as { license: { id: string; keyMasked: string }; key: string };
      });
      expect(license.keyMasked).toBe(`…${key.slice(-6)}`);
      expect(await sql('select id from licensing.licenses')).toHaveLength(before.length + 1);
      expect(await eventsOf(license.id)).toEqual(['license.issued']);
      const [{ validity }] = [await seller.client.post('/license-service/v1/validate', { key })].map(({ body }) => ({
        validity: body.code,
      })) as [{ validity: string }];
      expect(validity).toBe('VALID');
    },
  );

  it.each([
    ['suspend: announced', 'suspend', undefined, 'license.suspended'],
    ['suspend: license service told', 'suspend', undefined, 'license.suspended'],
    ['suspend: committed', 'suspend', undefined, 'license.suspended'],
    ['edition: license service told', 'edition', { edition: 'web-pro' }, 'license.edition_changed'],
    ['terminate: announced', 'terminate', undefined, 'license.terminated'],
    ['terminate: license service told', 'terminate', undefined, 'license.terminated'],
  ])('at "%s" has its change finished, with one event', async (place, call, body, event) => {
    const { id } = await aLicense(seller);
    expect(await callAndDie(place, `/v1/licenses/${id}/${call}`, body)).toBeNull();
    await recover(() => Promise.resolve());
    expect(await eventsOf(id)).toEqual(['license.issued', event]);
  });

  it.each([
    ['gate: about to commit', 0],
    ['gate: committed', 1],
  ])('at "%s" leaves %i transfers, whole', async (place, transfers) => {
    const { id } = await aLicense(seller);
    const { id: toContractId } = await aContract(watch.app, seller.partner.id);
    const { partner, customerId } = seller;
    const body = { licenseId: id, toPartnerId: partner.id, toCustomerId: customerId, toContractId };
    expect(await callAndDie(place, '/v1/transfers', body)).toBeNull();
    await recover(() => Promise.resolve());
    expect(await sql('select 1 from licensing.transfers where license_id = $1', [id])).toHaveLength(transfers);
    expect(await sql('select 1 from licensing.upstream_syncs where license_id = $1', [id])).toHaveLength(transfers);
    expect(await eventsOf(id)).toHaveLength(1 + 2 * transfers);
    const spans = await sql('select contract_id from licensing.ownership_spans where license_id = $1', [id]);
    expect(spans).toEqual([{ contract_id: transfers ? toContractId : seller.contractId }]);
  });
});
