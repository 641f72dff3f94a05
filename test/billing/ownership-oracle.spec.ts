import * as fc from 'fast-check';
import { DataSource } from 'typeorm';
import { NEVER, ownershipSpans } from '#libs/billing';
import { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import { LiveWorld } from '../support/billing/live-world.js';
import { FixedClock } from '../support/fixed-clock.js';
import { importLines, type Line } from '../support/licensing/import-file.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';

const CONTRACTS = ['a1', 'a2', 'b1', 'b2'] as const;
const TERMS = { model: 'per_instance_metered', currency: 'EUR', unitPriceCents: 3000 } as const;
const START = BillingDate.parse('2026-03-01')!;

interface Move {
  readonly recordedOn: BillingDate;
  readonly effectiveOn: BillingDate;
  readonly to: string;
}

interface History {
  readonly on: string;
  readonly issuedOn: BillingDate;
  readonly moves: readonly Move[];
  readonly terminatedOn: BillingDate | null;
}

const anyContract = fc.constantFrom(...CONTRACTS);
/** Few days, so that events coincide, and transfers backdated as far as allowed. */
const anyHistory: fc.Arbitrary<History> = fc
  .record({
    on: anyContract,
    issued: fc.nat(10),
    moves: fc.array(fc.record({ after: fc.nat(3), back: fc.nat(6), to: anyContract }), { maxLength: 6 }),
    life: fc.option(fc.nat(5)),
  })
  .map(({ on, issued, moves: planned, life }) => {
    const issuedOn = START.plusDays(issued);
    let [owner, today, last] = [on as string, issuedOn, issuedOn];
    const moves: Move[] = [];
    for (const { after, back, to } of planned.filter(({ to }, index) => to !== (planned[index - 1]?.to ?? on))) {
      today = today.plusDays(after);
      if (to === owner) continue;
      const dated = today.plusDays(-back);
      last = dated.isBefore(last) ? last : dated;
      moves.push({ recordedOn: today, effectiveOn: last, to });
      owner = to;
    }
    return { on, issuedOn, moves, terminatedOn: life === null ? null : today.plusDays(life) };
  });

/** `contract first..last`, and the positions in the ledger of the events that began and ended the span. */
const printed = (span: {
  contract: string;
  first: string;
  last: string | null;
  opened: number;
  closed: number | null;
}) => `${span.contract} ${span.first}..${span.last ?? ''} ${span.opened}-${span.closed ?? ''}`;

/** The spans by `ownershipSpans`, which shares no code with live calls, imports and tables. */
function spansByOracle({ on, issuedOn, moves, terminatedOn }: History): string[] {
  const spans = ownershipSpans({
    contractId: on as Uuid,
    issuedOn,
    issueEventId: 1,
    terminatedOn,
    ...(terminatedOn && { terminationEventId: 2 + 2 * moves.length }),
    transfers: moves.map(({ effectiveOn, to }, order) => ({
      effectiveDate: effectiveOn,
      recordedOrder: order,
      toContractId: to as Uuid,
      outEventId: 2 + 2 * order,
      inEventId: 3 + 2 * order,
    })),
  });
  return spans.map(({ contractId, firstDay, lastDay, openedBy, closedBy }) =>
    printed({
      contract: contractId,
      first: BillingDate.fromEpochDay(firstDay).toString(),
      last: lastDay === NEVER ? null : BillingDate.fromEpochDay(lastDay).toString(),
      opened: openedBy!,
      closed: closedBy,
    }),
  );
}

describe('the owner of a license on each day', () => {
  const clock = new FixedClock('2026-03-01T08:00:00.000Z');
  let api: RunningPartnerApi;
  let world: LiveWorld;
  let runs = 0;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    world = await LiveWorld.begin(api.app, clock);
    for (const id of CONTRACTS) await world.sign({ id, partner: id[0]!, ...TERMS });
    await importLines(api.app, CONTRACTS.flatMap(ownerLinesOf));
  });

  afterAll(() => api.close());

  it('follows from the history, for live calls and for an import', async () => {
    const property = fc.asyncProperty(fc.array(anyHistory, { minLength: 4, maxLength: 4 }), async (histories) => {
      for (const history of histories) {
        const name = `license ${++runs}`;
        const expected = spansByOracle(history);
        await live(name, history);
        expect(await staysOf('external_billing_ref', name)).toEqual(expected);
        clock.set('2026-06-01T00:00:00.000Z');
        await importLines(api.app, linesOf(name, history));
        expect(await staysOf('i.ref', name)).toEqual(expected);
      }
    });
    await fc.assert(property, { numRuns: 10 });
  });

  async function live(name: string, { on, issuedOn, moves, terminatedOn }: History): Promise<void> {
    clock.set(`${issuedOn.toString()}T08:00:00.000Z`);
    await world.issue(name, on);
    for (const [index, { recordedOn, effectiveOn, to }] of moves.entries()) {
      clock.set(at(recordedOn, index));
      await world.transfer(name, to, effectiveOn.toString());
    }
    if (!terminatedOn) return;
    clock.set(`${terminatedOn.toString()}T20:00:00.000Z`);
    await world.terminate(name);
  }

  async function staysOf(by: 'external_billing_ref' | 'i.ref', name: string): Promise<string[]> {
    const contracts = new Map(CONTRACTS.map((id) => [world.contract(id).contractId as string, id as string]));
    const rows = await api.app.get(DataSource).query<Parameters<typeof printed>[0][]>(
      `select coalesce(c.ref, s.contract_id::text) as contract, lower(s.days)::text as first,
              (upper(s.days) - 1)::text as last, o.position as opened, e.position as closed
         from licensing.ownership_spans s
         join licensing.licenses l on l.id = s.license_id
         left join licensing.imported_lines i on i.type = 'license' and i.record_id = l.id
         left join licensing.imported_lines c on c.type = 'contract' and c.record_id = s.contract_id
         join licensing.ledger_events o on o.id = s.opened_by
         left join licensing.ledger_events e on e.id = s.closed_by
        where ${by} = $1 order by lower(s.days)`,
      [name],
    );
    return rows.map((row) => printed({ ...row, contract: contracts.get(row.contract) ?? row.contract }));
  }
});

const at = (day: BillingDate, minute: number): string =>
  `${day.toString()}T12:${String(minute).padStart(2, '0')}:00.000Z`;

function ownerLinesOf(contract: string, index: number): Line[] {
  const partner = contract[0]!;
  const terms = { ...TERMS, ref: contract, partnerRef: partner, reference: contract, validFrom: '2020-01-01' };
  const first = index % 2 === 0;
  return [
    ...(first ? [{ type: 'partner', ref: partner, name: partner, partnerType: 'reseller' }] : []),
    ...(first ? [{ type: 'customer', ref: partner, partnerRef: partner, name: partner }] : []),
    { type: 'contract', ...terms },
  ];
}

function linesOf(name: string, { on, issuedOn, moves, terminatedOn }: History): Line[] {
  return [
    {
      type: 'license',
      ref: name,
      partnerRef: on[0],
      customerRef: on[0],
      contractRef: on,
      edition: 'web-host',
      state: terminatedOn ? 'terminated' : 'active',
      issuedAt: `${issuedOn.toString()}T08:00:00.000Z`,
      terminatedAt: terminatedOn && `${terminatedOn.toString()}T20:00:00.000Z`,
    },
    ...moves.map(({ recordedOn, effectiveOn, to }, index) => ({
      type: 'transfer',
      licenseRef: name,
      toPartnerRef: to[0],
      toCustomerRef: to[0],
      toContractRef: to,
      effectiveDate: effectiveOn.toString(),
      createdAt: at(recordedOn, index),
      reason: '',
    })),
  ];
}
