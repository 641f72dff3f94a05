import { aLicense, aSeller, type Seller } from '../support/builders/a-license.js';
import { startLicensingApi, type LicensingApi } from '../support/licensing/licensing-api.js';

interface Truth {
  state: string;
  ledger_length: number;
  events: string[];
}

const AFTER: Record<string, string> = {
  'license.issued': 'active',
  'license.suspended': 'suspended',
  'license.resumed': 'active',
  'license.terminated': 'terminated',
};

describe('the agreement of license, ledger and license service', () => {
  let first: LicensingApi;
  let second: LicensingApi;
  let seller: Seller;

  beforeAll(async () => {
    first = await startLicensingApi();
    second = await startLicensingApi({ database: first.database, service: first.service });
    seller = await aSeller(first);
  });

  afterAll(async () => {
    await second.close();
    await first.close();
  });

  async function truthOf(id: string): Promise<Truth> {
    const [row] = await first.sql<Truth>(
      `select l.state, l.ledger_length,
              (select array_agg(e.event order by e.position) from licensing.ledger_events e where e.license_id = l.id) as events
         from licensing.licenses l where l.id = $1`,
      [id],
    );
    return row!;
  }

  it('holds under 200 parallel calls over two processes', async () => {
    const license = await aLicense(seller);
    const clients = [seller.client, second.as(seller.partner.writeToken)];
    const calls = Array.from({ length: 200 }, (_, n) => {
      const call = n % 2 === 0 ? 'suspend' : 'resume';
      return clients[Math.floor(n / 2) % 2]!.post(`/v1/licenses/${license.id}/${call}`);
    });
    const answers = (await Promise.all(calls)).map(({ status }) => status);
    expect(answers.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const { state, events, ledger_length } = await truthOf(license.id);
    expect(events).toHaveLength(ledger_length);
    // Every event is a change, so suspended and resumed alternate.
    events.slice(1).forEach((event, n) => expect(event).toBe(n % 2 === 0 ? 'license.suspended' : 'license.resumed'));
    expect(state).toBe(AFTER[events.at(-1)!]);
    expect(first.service.records.get(license.upstreamLicenseId as never)?.suspended).toBe(state === 'suspended');
    expect(await first.sql('select 1 from licensing.pending_changes')).toEqual([]);
  });
});
