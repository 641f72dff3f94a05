import { BillingPeriod } from '#kernel/time/billing-period';
import { FixedClock } from '../support/fixed-clock.js';
import { EXAMPLES, type Example } from '../support/billing/example.js';
import { LiveWorld } from '../support/billing/live-world.js';
import { downloads } from '../support/billing/downloads.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';
import { Staff } from '../support/billing/closing.js';
import { verifyStatement } from '../../apps/partner-api/public/verify-statement.mjs';

describe('the worked examples of the billing rules, from the facts to the statement', () => {
  const clock = new FixedClock('2026-01-01T00:00:00.000Z');
  let api: RunningPartnerApi;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
  });

  afterAll(() => api.close());

  test.each(EXAMPLES)('$title', async (example) => {
    clock.set('2026-01-01T00:00:00.000Z');
    const world = await LiveWorld.begin(api.app, clock);
    await world.live(example);
    const period = BillingPeriod.parse(example.period)!;
    clock.set(period.next().firstDay.plusDays(2).startsAt().toISOString());
    const staff = new Staff(api, clock);
    for (const [name, partner] of world.partners) {
      const run = await staff.finalize(example.period, '--partner', partner.id, '--review');
      expect([run.code, run.err, run.json.error]).toEqual([0, '', undefined]);
      const client = api.as(partner.readToken);
      const list = (await client.get('/v1/statements')).body as { id: string }[];
      const expected = example.expected[name] ?? { lines: [], totals: [] };
      expect(list).toHaveLength(expected.lines.length === 0 ? 0 : 1);
      if (!list[0]) continue;
      const { body } = await client.get(`/v1/statements/${list[0].id}`);
      expect(body.totals).toEqual(expected.totals);
      expect(byId(body.lines, 'contractId')).toEqual(inIds(world, expected));
      const files = await downloads(client, list[0].id);
      expect(verifyStatement(files.json, files.proof, files.csv)).toEqual([]);
      expect(fractionsOf(JSON.parse(files.proof))).toEqual(expectedFractions(world, expected));
    }
  });
});

/** Every exact amount by license, or by contract for a line. */
function fractionsOf(proof: {
  lines: { contractId: string; exact: string; parts: { licenseId: string; exact: string }[] }[];
}) {
  return Object.fromEntries(
    proof.lines.flatMap(({ contractId, exact, parts }) => [
      [contractId, exact],
      ...parts.map((part) => [`${contractId} ${part.licenseId}`, part.exact]),
    ]),
  ) as Record<string, string>;
}

function expectedFractions(world: LiveWorld, { lines }: Example['expected'][string]) {
  const named = lines.map(({ contractId, exact, detail }) => ({
    contractId: world.contract(contractId).contractId,
    exact,
    parts: detail.map((part) => ({ licenseId: world.license(part.licenseId), exact: part.exact })),
  }));
  return fractionsOf({ lines: named });
}

/** What the example expects, with the ids of this run. `exact` is checked against the proof. */
function inIds(world: LiveWorld, { lines }: Example['expected'][string]) {
  const printed = lines.map(({ contractId, exact: _, detail, ...line }) => ({
    ...line,
    contractId: world.contract(contractId).contractId,
    detail: byId(
      detail.map(({ licenseId, exact: _exact, ...part }) => ({
        ...part,
        licenseId: world.license(licenseId),
        keyMasked: expect.stringMatching(/^….{6}$/),
      })),
      'licenseId',
    ),
  }));
  return byId(printed, 'contractId');
}

function byId<K extends string, T extends Record<K, string>>(items: readonly T[], key: K): T[] {
  return [...items].sort((a, b) => (a[key] < b[key] ? -1 : 1));
}
