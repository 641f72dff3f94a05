import * as fc from 'fast-check';
import { DataSource } from 'typeorm';
import { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import { aPartner, type PartnerWithTokens } from '../support/builders/a-partner.js';
import { aContract, aCustomer } from '../support/builders/a-world.js';
import { FixedClock } from '../support/fixed-clock.js';
import type { HttpClient } from '../support/http/http-client.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

const MODELS = {
  metered: { model: 'per_instance_metered', unitPriceCents: 3000 },
  cheap: { model: 'per_instance_metered', unitPriceCents: 100 },
  flat: { model: 'flat_unlimited', unitPriceCents: 50_000 },
  pack: { model: 'prepaid_pack', packSize: 1_000, unitPriceCents: 0 },
  trial: { model: 'trial', unitPriceCents: 0 },
  free: { model: 'not_for_resale', unitPriceCents: 0 },
} as const;
type Kind = keyof typeof MODELS;
const KINDS = Object.keys(MODELS) as Kind[];
const PARTNERS = ['own', 'child', 'sibling'] as const;
/** What a day of a license costs its owner. The fee of a flat contract does not depend on its licenses. */
const PRICE: Readonly<Record<Kind, number>> = { metered: 3000, cheap: 100, flat: 0, pack: 0, trial: 0, free: 0 };
const BILLS: readonly Kind[] = ['metered', 'cheap', 'flat'];
const START = BillingDate.parse('2026-03-02')!;

interface Owner {
  readonly partner: (typeof PARTNERS)[number];
  readonly kind: Kind;
}

const anyOwner = fc.record({ partner: fc.constantFrom(...PARTNERS), kind: fc.constantFrom(...KINDS) });
const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ call: fc.constant('transfer'), to: anyOwner, back: fc.nat(8) }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant('wait'), days: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constantFrom('suspend', 'resume', 'terminate') }) },
);

/** The calls of a reseller's own token, on licenses of its own and of partners below it. */
describe('what a partner owes for days that are over', () => {
  const clock = new FixedClock('2026-03-02T08:00:00.000Z');
  let api: RunningPartnerApi;
  let client: HttpClient;
  const owners = new Map<string, { partner: PartnerWithTokens; customerId: Uuid; contractId: Uuid }>();

  beforeAll(async () => {
    api = await startPartnerApi({ clock, settings: { PC_RATE_RPS: '1000', PC_RATE_BURST: '10000' } });
    const own = await aPartner(api.app);
    client = api.as(own.writeToken);
    for (const name of PARTNERS) {
      const partner = name === 'own' ? own : await aPartner(api.app, { parentId: own.id });
      const { id: customerId } = await aCustomer(api.app, partner.id);
      for (const kind of KINDS) {
        const { id: contractId } = await aContract(api.app, partner.id, { ...MODELS[kind], currency: 'EUR' });
        owners.set(`${name} ${kind}`, { partner, customerId, contractId });
      }
    }
  });

  afterAll(() => api.close());

  const ownerOf = ({ partner, kind }: Owner) => owners.get(`${partner} ${kind}`)!;

  /** The owner of each past day of the license, by day. */
  async function paid(licenseId: string, today: BillingDate): Promise<Map<string, Owner>> {
    const rows: { contract_id: string; day: string }[] = await api.app.get(DataSource).query(
      `select s.contract_id, day::date::text as day from licensing.ownership_spans s,
              generate_series(lower(s.days), least(upper(s.days), $2::date) - 1, interval '1 day') as day
        where s.license_id = $1 and lower(s.days) < $2::date`,
      [licenseId, today.toString()],
    );
    const names = new Map([...owners].map(([name, { contractId }]) => [contractId as string, name.split(' ')]));
    return new Map(
      rows.map(({ contract_id, day }) => {
        const [partner, kind] = names.get(contract_id)!;
        return [day, { partner, kind } as Owner];
      }),
    );
  }

  async function issue(owner: Owner): Promise<string> {
    const { customerId, contractId } = ownerOf(owner);
    const answer = await client.post('/v1/licenses', { customerId, contractId, edition: 'web-host' });
    expect(answer.status).toBe(201);
    return answer.body.license.id as string;
  }

  async function call(licenseId: string, step: { call: string; to?: Owner; back?: number }, today: BillingDate) {
    if (step.call !== 'transfer' || !step.to) return client.post(`/v1/licenses/${licenseId}/${step.call}`);
    const { partner, customerId, contractId } = ownerOf(step.to);
    return client.post('/v1/transfers', {
      licenseId,
      toPartnerId: partner.id,
      toCustomerId: customerId,
      toContractId: contractId,
      effectiveDate: today.plusDays(-(step.back ?? 0)).toString(),
    });
  }

  it('is not lowered by any sequence of its own calls, except by a transfer to another partner that then owes it', async () => {
    let backdated = 0;
    const property = fc.asyncProperty(
      fc.constantFrom<Kind>('metered', 'metered', 'cheap'),
      fc.array(anyStep, { minLength: 3, maxLength: 9 }),
      async (kind, steps) => {
        let today = START;
        clock.set(`${today.toString()}T08:00:00.000Z`);
        const licenseId = await issue({ partner: 'own', kind });
        /** The highest price that its own days have ever had, by day. */
        const owed = new Map<string, number>();
        const remember = async () => {
          for (const [day, { partner, kind: on }] of await paid(licenseId, today)) {
            if (partner === 'own') owed.set(day, Math.max(owed.get(day) ?? 0, PRICE[on]));
          }
        };
        for (const step of steps) {
          if ('days' in step) {
            today = today.plusDays(step.days);
            clock.set(`${today.toString()}T08:00:00.000Z`);
          } else {
            const { status } = await call(licenseId, step, today);
            if ('back' in step && step.back > 0 && status === 201) backdated += 1;
          }
          await remember();
          const now = await paid(licenseId, today);
          for (const [day, price] of owed) {
            const payer = now.get(day);
            const owes = payer?.partner === 'own' ? PRICE[payer.kind] >= price : payer && BILLS.includes(payer.kind);
            if (!owes)
              throw new Error(`${day} cost ${price} and is ${JSON.stringify(payer)} after ${JSON.stringify(step)}`);
          }
        }
      },
    );
    await fc.assert(property, { numRuns: 60 });
    expect(backdated).toBeGreaterThan(1);
  });
});
