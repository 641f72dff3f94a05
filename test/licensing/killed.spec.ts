import pg from 'pg';
import { LedgerVerification } from '#libs/licensing';
import { aLicense, aSeller, type Seller } from '../support/builders/a-license.js';
import { aContract } from '../support/builders/a-world.js';
import { startKillableApi, type KillableApi } from '../support/processes/killable-api.js';
import { newSecretsKeys } from '../support/licensing/license-service.js';
import { keygenTruth, localTruth, type LicenseTruth } from '../support/licensing/license-truth.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

interface Issue {
  readonly place: string;
  /** The Idempotency-Key, also sent as the external billing reference, by which the license is found. */
  readonly key: string;
}

const CHANGES = [
  ['suspend', undefined, 'license.suspended'],
  ['resume', undefined, 'license.resumed'],
  ['edition', { edition: 'web-pro' }, 'license.edition_changed'],
  ['terminate', undefined, 'license.terminated'],
] as const;

const TRANSFER_CASES = [
  ['change: about to commit', 0],
  ['change: committed', 1],
] as const;

/** The points at which calls are interrupted. Several steps with Keygen are one transaction with the local service. */
const SERVICES = [
  {
    name: 'Keygen',
    truth: keygenTruth,
    issuePlaces: ['issue: reserved', 'issue: key made', 'issue: committed'],
    changePlaces: (call: string) => [
      { place: `${call}: announced`, done: true },
      { place: `${call}: license service updated`, done: true },
      { place: `${call}: committed`, done: true },
    ],
  },
  {
    name: 'the local license service',
    truth: (validate: (key: string) => Promise<string>) => Promise.resolve(localTruth(validate)),
    issuePlaces: ['issue: about to commit', 'issue: committed'],
    changePlaces: () => [
      { place: 'change: about to commit', done: false },
      { place: 'change: committed', done: true },
    ],
  },
];

/**
 * Calls are stopped between two effects, each at its own point. Then their API process is killed and another one
 * starts. Nothing may be half done. The calls go to a separate process; this process inspects the same database.
 */
describe.each(SERVICES)('an API on $name that is killed', ({ truth, issuePlaces, changePlaces }) => {
  const issues = (how: string): Issue[] => issuePlaces.map((place) => ({ place, key: `${how}, ${place}` }));
  const REPEATED = issues('repeated');
  const ABANDONED = issues('abandoned');
  const CHANGE_CASES = CHANGES.flatMap((change) =>
    changePlaces(change[0]).map(({ place, done }) => ({ name: `${change[0]}, ${place}`, place, done, change })),
  );
  let licenseService: LicenseTruth;
  let settings: Record<string, string>;
  let watch: RunningPartnerApi;
  let seller: Seller;
  let otherContractId: string;
  let pool: pg.Pool;
  let next: KillableApi;
  /** The license of each change or transfer, by the point where the call was stopped. */
  const licenses = new Map<string, string>();
  let answered: string;

  beforeAll(async () => {
    licenseService = await truth(
      async (key) => (await seller.client.post('/license-service/v1/validate', { key })).body.code,
    );
    settings = { SECRETS_KEYS: newSecretsKeys(), ...licenseService.settings };
    watch = await startPartnerApi({ settings });
    pool = new pg.Pool({ connectionString: watch.database.url, max: 2 });
    pool.on('error', () => undefined);
    seller = await aSeller(watch);
    otherContractId = (await aContract(watch.app, seller.partner.id)).id;
    // The first sale of an edition creates its policy. A call stopped while doing that would block the others.
    await aLicense(seller, { edition: 'web-pro' });
    for (const { name, change } of CHANGE_CASES) licenses.set(name, await aLicenseThatIs(change[0]));
    for (const [place] of TRANSFER_CASES) licenses.set(place, (await aLicense(seller)).id);
    await killWhileAllAreHeld();
    next = await startKillableApi(watch.database.url, settings);
  }, 120_000);

  afterAll(async () => {
    await next.kill('SIGTERM');
    await pool.end();
    await watch.close();
    await licenseService.stop();
  });

  const sql = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;

  async function aLicenseThatIs(toBe: string): Promise<string> {
    const { id } = await aLicense(seller);
    if (toBe === 'resume') await seller.client.post(`/v1/licenses/${id}/suspend`);
    return id;
  }

  const post = (url: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body: body && JSON.stringify(body),
      headers: {
        authorization: `Bearer ${seller.partner.writeToken}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
    });

  const wish = (externalBillingRef: string) => {
    const { customerId, contractId } = seller;
    return { customerId, contractId, edition: 'web-host', externalBillingRef };
  };

  function transfer(place: string): object {
    const { partner, customerId } = seller;
    const to = { toPartnerId: partner.id, toCustomerId: customerId, toContractId: otherContractId };
    return { licenseId: licenses.get(place), ...to };
  }

  async function killWhileAllAreHeld(): Promise<void> {
    const api = await startKillableApi(watch.database.url, settings);
    const answer = await post(api.url, '/v1/licenses', wish('answered'));
    answered = ((await answer.json()) as { license: { id: string } }).license.id;
    const at = (place: string, more: Record<string, string> = {}) => ({ 'x-hold-at': place, ...more });
    const calls: [place: string, send: () => Promise<Response>][] = [
      ...ABANDONED.map(({ place, key }) => [place, () => post(api.url, '/v1/licenses', wish(key), at(place))] as const),
      ...REPEATED.map(
        ({ place, key }) =>
          [place, () => post(api.url, '/v1/licenses', wish(key), at(place, { 'idempotency-key': key }))] as const,
      ),
      ...CHANGE_CASES.map(
        ({ name, place, change: [call, body] }) =>
          [place, () => post(api.url, `/v1/licenses/${licenses.get(name)}/${call}`, body, at(place))] as const,
      ),
      ...TRANSFER_CASES.map(
        ([place]) => [place, () => post(api.url, '/v1/transfers', transfer(place), at(place))] as const,
      ),
    ].map(([place, send]) => [place, send]);
    // Simultaneous calls may share a transaction, so one that is stopped in it would stop the others.
    const inTransaction = calls.filter(([place]) => place.endsWith('about to commit'));
    const outside = calls.filter((call) => !inTransaction.includes(call));
    const sent = outside.map(([, send]) => send());
    await until(() => Promise.resolve(api.held() === outside.length));
    sent.push(...inTransaction.map(([, send]) => send()));
    const outcomes = Promise.allSettled(sent);
    await until(() => Promise.resolve(api.held() === calls.length));
    await api.kill('SIGKILL');
    for (const outcome of await outcomes) expect(outcome.status).toBe('rejected');
    // Keys of a process that just disappeared count as lost only after ten seconds. The test skips that time.
    await sql(`update licensing.key_handovers set issued_at = issued_at - interval '10 seconds'`);
  }

  async function until(met: () => Promise<boolean>): Promise<void> {
    for (let n = 0; n < 1_000 && !(await met()); n++) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await met()).toBe(true);
  }

  const idOf = async (reference: string): Promise<string | undefined> =>
    (await sql('select id from licensing.licenses where external_billing_ref = $1', [reference]))[0]?.id;

  const eventsOf = async (id: string) =>
    (await sql('select event from licensing.ledger_events where license_id = $1 order by position', [id])).map(
      ({ event }) => event,
    );

  it.each(REPEATED)(
    'at "$place" gives a repeat with the same key one license with a usable key',
    async ({ key: idempotencyKey }) => {
      const repeat = () => post(next.url, '/v1/licenses', wish(idempotencyKey), { 'idempotency-key': idempotencyKey });
      let answer = await repeat();
      // The reconciler may be undoing the first attempt at this moment.
      for (let n = 0; n < 50 && answer.status === 503; n++) answer = await repeat();
      expect(answer.status).toBe(201);
      const { license, key } = (await answer.json()) as { license: { id: string; keyMasked: string }; key: string };
      expect(license.keyMasked).toBe(`…${key.slice(-6)}`);
      expect(await idOf(idempotencyKey)).toBe(license.id);
      expect(await eventsOf(license.id)).toEqual(['license.issued']);
      expect(await licenseService.isUsable(key)).toBe(true);
    },
  );

  it('leaves nothing pending, and license, ledger and license service agree', async () => {
    await until(async () => {
      const [{ n }] = await sql(
        `select (select count(*) from licensing.pending_changes) + (select count(*) from licensing.key_handovers)
              + (select count(*) from licensing.reservations where undone_at is null) as n`,
      );
      return Number(n) === 0;
    });
    expect(await licenseService.differences(sql)).toEqual([]);
    expect((await watch.app.get(LedgerVerification, { strict: false }).verify(null)).broken).toBeNull();
  });

  it.each(ABANDONED.slice(0, -1))('at "$place" leaves no license and no key', async ({ key }) => {
    expect(await idOf(key)).toBeUndefined();
  });

  it('at "issue: committed" leaves a terminated license with a revoked key, because nobody has the key', async () => {
    const id = (await idOf(ABANDONED.at(-1)!.key))!;
    expect(await eventsOf(id)).toEqual(['license.issued', 'license.terminated']);
    const [event] = await sql(
      `select actor from licensing.ledger_events where license_id = $1 and event = 'license.terminated'`,
      [id],
    );
    expect(event.actor).toBeNull();
  });

  it('leaves a license alone whose key was already sent', async () => {
    expect(await eventsOf(answered)).toEqual(['license.issued']);
  });

  it.each(CHANGE_CASES)(
    'at "$name" has the complete change with one event, or no change',
    async ({ name, change, done }) => {
      const [call, , event] = change;
      const before = call === 'resume' ? ['license.issued', 'license.suspended'] : ['license.issued'];
      expect(await eventsOf(licenses.get(name)!)).toEqual(done ? [...before, event] : before);
    },
  );

  it.each(TRANSFER_CASES)('at "%s" leaves %i complete transfers', async (place, transfers) => {
    const id = licenses.get(place)!;
    expect(await sql('select 1 from licensing.transfers where license_id = $1', [id])).toHaveLength(transfers);
    expect(await sql('select 1 from licensing.upstream_syncs where license_id = $1', [id])).toHaveLength(transfers);
    expect(await eventsOf(id)).toHaveLength(1 + 2 * transfers);
    const spans = await sql('select contract_id from licensing.ownership_spans where license_id = $1', [id]);
    expect(spans).toEqual([{ contract_id: transfers ? otherContractId : seller.contractId }]);
  });
});
