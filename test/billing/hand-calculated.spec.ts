import { DataSource } from 'typeorm';
import { StatementTotals } from '#libs/billing';
import { BillingPeriod } from '#kernel/time/billing-period';
import { verifyStatement } from '../../apps/partner-api/public/verify-statement.mjs';
import { aToken } from '../support/builders/a-partner.js';
import { Staff } from '../support/billing/closing.js';
import { downloads } from '../support/billing/downloads.js';
import { storyLines, type Expected, type Story } from '../support/billing/hand-calculated.js';
import { FixedClock } from '../support/fixed-clock.js';
import type { HttpClient } from '../support/http/http-client.js';
import { importLines } from '../support/licensing/import-file.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';
import { METERED_STORIES } from '../support/billing/stories/metered.js';
import { LATE_TRANSFERS, OTHER_STORIES } from '../support/billing/stories/other-models.js';

const STORIES = [...METERED_STORIES, ...OTHER_STORIES];

const partnersOf = ({ contracts }: Story) => new Set(Object.values(contracts).map(({ partner }) => partner));
const prefixOf = (story: Story) => `s${STORIES.indexOf(story)}-`;

describe('an imported history whose months are finalized by staff and read by partners', () => {
  const clock = new FixedClock('2026-11-15T12:00:00.000Z');
  const refs = new Map<string, string>();
  let api: RunningPartnerApi;
  let staff: Staff;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    staff = new Staff(api, clock);
    await importLines(
      api.app,
      [...STORIES, LATE_TRANSFERS].flatMap((story) => storyLines(story, prefixOf(story))),
    );
    await learnRefs();
    for (const story of STORIES) {
      for (const partner of partnersOf(story)) {
        await close(story.month, '--partner', idOf('partner', prefixOf(story) + partner));
      }
    }
    await close(LATE_TRANSFERS.month);
  });

  afterAll(() => api.close());

  const learnRefs = async () => {
    const rows: { key: string; id: string }[] = await api.app
      .get(DataSource)
      .query(
        `select type || ' ' || ref as key, record_id as id from licensing.imported_lines where record_id is not null`,
      );
    for (const { key, id } of rows) refs.set(key, id);
  };

  const close = async (month: string, ...more: string[]) => {
    const run = await staff.finalize(month, '--review', ...more);
    expect([run.code, run.json.refused]).toEqual([0, []]);
  };

  const idOf = (type: string, ref: string) => refs.get(`${type} ${ref}`)!;

  const clientOf = async (partner: string): Promise<HttpClient> =>
    api.as(await aToken(api.app, idOf('partner', partner) as never, 'read'));

  /**
   * The latest statement of the month as the partner gets it, with every cent and hash verified. Null if there is none.
   */
  const read = async (partner: string, month: string) => {
    const client = await clientOf(partner);
    const list = (await client.get('/v1/statements')).body as { id: string; periodStart: string; status: string }[];
    const current = list.find(({ periodStart, status }) => periodStart === `${month}-01` && status === 'finalized');
    if (!current) return null;
    const files = await downloads(client, current.id);
    expect(verifyStatement(files.json, files.proof, files.csv)).toEqual([]);
    return { statement: JSON.parse(files.json), proof: JSON.parse(files.proof), csv: files.csv };
  };

  it.each(STORIES.map((story) => [story.title, story] as const))('%s', async (_title, story) => {
    const prefix = prefixOf(story);
    const counted = await api.app.get(StatementTotals, { strict: false }).of(BillingPeriod.parse(story.month)!);
    for (const partner of partnersOf(story)) {
      const found = await read(prefix + partner, story.month);
      const expected = story.expected[partner];
      expect(found && shown(found)).toEqual(expected ? inIds(expected, prefix) : null);
      const totals = counted.get(idOf('partner', prefix + partner) as never)!;
      expect(Object.fromEntries(totals.map(({ currency, cents }) => [currency, cents]))).toEqual(
        expected?.totals ?? {},
      );
    }
  });

  it('late transfers change finalized months only through new revisions, only for the partners concerned', async () => {
    const { month } = LATE_TRANSFERS;
    const prefix = prefixOf(LATE_TRANSFERS);
    const [a, b, c] = await Promise.all(['A', 'B', 'C'].map((partner) => clientOf(prefix + partner)));
    const statements = async (client: HttpClient | undefined) =>
      ((await client!.get('/v1/statements')).body as Record<string, any>[])
        .filter(({ periodStart }) => periodStart === `${month}-01`)
        .map(({ revision, status, totals }) => [revision, status, totals[0]?.amountCents ?? null]);
    const flagged = async () =>
      ((await staff.statements('list', '--needs-correction', '--period', month)).json as { id: string }[]).map(
        ({ id }) => id,
      );
    const move = (to: string, day: string) => {
      const terms = { contracts: LATE_TRANSFERS.contracts, licenses: {} };
      const partner = prefix + terms.contracts[to]!.partner;
      const target = { toPartnerRef: partner, toCustomerRef: partner, toContractRef: prefix + to };
      return importLines(api.app, [
        { type: 'transfer', licenseRef: `${prefix}l`, effectiveDate: day, reason: '', ...target },
      ]);
    };

    await move('cB', '2026-01-16');
    expect(await statements(a)).toEqual([[1, 'finalized', 3100]]);
    expect(await statements(b)).toEqual([[1, 'finalized', 3100]]);
    for (const id of await flagged()) await staff.correct(id);
    expect(await statements(a)).toEqual([[1, 'superseded', 3100]]);
    await close(month);
    expect(await statements(a)).toEqual([[2, 'finalized', 1500], [1, 'superseded', 3100]]); // prettier-ignore
    // 31 days of its own license and 16 of the other.
    expect(await statements(b)).toEqual([[2, 'finalized', 4700], [1, 'superseded', 3100]]); // prettier-ignore

    // The last day of the month moves to a partner that had nothing in that month. A is not affected any more.
    await move('cC', '2026-01-31');
    for (const id of await flagged()) await staff.correct(id);
    await close(month);
    expect((await statements(a))[0]).toEqual([2, 'finalized', 1500]);
    expect((await statements(b))[0]).toEqual([3, 'finalized', 4600]);
    expect(await statements(c)).toEqual([[1, 'finalized', 100]]);
    expect(await flagged()).toEqual([]);
    for (const partner of ['A', 'B', 'C']) expect(await read(prefix + partner, month)).not.toBeNull();
  });

  /** The figures that the story mentions, by id. */
  function shown({ statement, proof, csv }: NonNullable<Awaited<ReturnType<typeof read>>>) {
    const exact = new Map<string, string>(proof.lines.map((line: Line) => [line.contractId, line.exact]));
    const lines = (statement.lines as Line[]).map(({ contractId, quantity, amountCents, detail, pack }) => {
      const parts = Object.fromEntries(detail.map((part) => [part.licenseId, [part.days, part.amountCents]]));
      return [contractId, { quantity, amountCents, exact: exact.get(contractId), parts, pack }];
    });
    const totals = statement.totals as { currency: string; amountCents: number }[];
    expect(totals.map(({ currency }) => currency)).toEqual(totals.map(({ currency }) => currency).sort());
    expect(csvTotals(csv)).toEqual(Object.fromEntries(totals.map((total) => [total.currency, total.amountCents])));
    return { totals: csvTotals(csv), lines: Object.fromEntries(lines) };
  }

  function inIds({ totals, lines }: Expected, prefix: string) {
    const printed = Object.entries(lines).map(([contract, [quantity, amountCents, exact, more = {}, pack]]) => {
      const parts = Object.fromEntries(
        Object.entries(more).map(([name, part]) => [idOf('license', prefix + name), part]),
      );
      return [idOf('contract', prefix + contract), { quantity, amountCents, exact, parts, pack }];
    });
    return { totals, lines: Object.fromEntries(printed) };
  }
});

interface Line {
  readonly contractId: string;
  readonly quantity: number;
  readonly amountCents: number;
  readonly exact: string;
  readonly detail: readonly { licenseId: string; days: number; amountCents: number }[];
  readonly pack?: object;
}

/** The sums of the amount column by currency. */
function csvTotals(csv: string): Record<string, number> {
  const sums: Record<string, number> = {};
  const [head = '', ...rows] = csv.trimEnd().split('\r\n');
  const [currency, amount] = ['currency', 'amountCents'].map((name) => head.split(',').indexOf(name)) as [
    number,
    number,
  ];
  for (const row of rows.map((text) => text.split(','))) {
    sums[row[currency]!] = (sums[row[currency]!] ?? 0) + Number(row[amount]);
  }
  return sums;
}
