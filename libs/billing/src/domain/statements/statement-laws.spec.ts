import * as fc from 'fast-check';
import { BillingWindow } from '../ownership/billing-window.js';
import { FiguresHash } from './figures-hash.js';
import { ownershipSpans, type LicenseHistory, type RecordedTransfer } from '../ownership/ownership-span.js';
import { calculateStatement, type StatementFigures } from './statement-figures.js';
import { exactPart } from './statement-line.js';
import { anyWorld, PARTNERS, type World } from '../../testing/arbitrary-world.js';
import { aContract } from '../../testing/a-contract.js';
import { idOf } from '../../testing/ids.js';
import { spansUnder, statementOf } from '../../testing/statement-of.js';

const anyMarket = anyWorld(8);

function statements({ period, contracts, licenses }: World): StatementFigures[] {
  const window = BillingWindow.wholeMonth(period);
  return PARTNERS.map((partner) => statementOf(partner, contracts, licenses, window));
}

describe('properties of any history', () => {
  it('every day of a license has exactly one payer', () => {
    fc.assert(
      fc.property(anyMarket, (world) => {
        for (const license of world.licenses) {
          const spans = ownershipSpans(license);
          expect(spans[0]!.firstDay).toBe(license.issuedOn.epochDay);
          expect(spans.at(-1)!.lastDay).toBe(license.terminatedOn?.epochDay ?? Number.MAX_SAFE_INTEGER);
          spans.slice(1).forEach((span, index) => expect(span.firstDay).toBe(spans[index]!.lastDay + 1));
        }
      }),
    );
  });

  it('the days billed to all partners are the days of the licenses', () => {
    fc.assert(
      fc.property(anyMarket, (world) => {
        const window = BillingWindow.wholeMonth(world.period);
        const metered = world.contracts.map(({ state }) =>
          aContract({ ...state, model: 'per_instance_metered', packSize: null }),
        );
        const billed = statements({ ...world, contracts: metered })
          .flatMap((statement) => statement.lines)
          .reduce((sum, line) => sum + line.billedDays, 0);
        const lived = world.licenses
          .map((license) => window.daysWithin(license.issuedOn.epochDay, license.terminatedOn?.epochDay ?? Infinity))
          .reduce((sum, days) => sum + days, 0);
        expect(billed).toBe(lived);
      }),
    );
  });

  it('a line is the sum of its parts, a total the sum of its lines, and each part the nearest cent', () => {
    fc.assert(
      fc.property(anyMarket, (world) => {
        for (const { lines, totals } of statements(world)) {
          for (const line of lines.filter(({ model }) => model === 'per_instance_metered')) {
            expect(sum(line.detail)).toBe(line.amountCents);
            expect(line.detail).toHaveLength(line.quantity);
            for (const part of line.detail) {
              const [numerator, denominator] = exactPart(part, line, world.period.days).split('/').map(BigInt);
              const twiceTheError = 2n * (BigInt(part.amountCents) * denominator! - numerator!);
              expect(twiceTheError <= denominator! && twiceTheError > -denominator!).toBe(true);
            }
          }
          for (const { currency, cents } of totals) {
            expect(sum(lines.filter((line) => line.currency === currency))).toBe(cents);
          }
          expect(totals.map(({ currency }) => currency)).toEqual([...new Set(lines.map((l) => l.currency))].sort());
        }
      }),
    );
  });

  it('the order of contracts, licenses and transfers does not matter', () => {
    fc.assert(
      fc.property(anyMarket, (world) => {
        const shuffled = {
          ...world,
          contracts: [...world.contracts].reverse(),
          licenses: world.licenses
            .map((license) => ({ ...license, transfers: [...license.transfers].reverse() }))
            .reverse(),
        };
        expect(statements(shuffled)).toEqual(statements(world));
      }),
    );
  });

  it('an event changes nothing before the month in which it takes effect, not even the named events', () => {
    const laterEvent = fc.record({ day: fc.integer({ min: 0, max: 60 }), to: fc.integer({ min: 0, max: 5 }) });
    fc.assert(
      fc.property(anyMarket, laterEvent, fc.boolean(), (world, { day, to }, terminates) => {
        const effectiveDate = world.period.next().firstDay.plusDays(day);
        const before = world.licenses.map((license) => onlyUntil(world, license));
        const after = before.map((license) =>
          terminates && license.terminatedOn === null
            ? { ...license, terminatedOn: effectiveDate, terminationEventId: 99_999 }
            : { ...license, transfers: [...license.transfers, move(effectiveDate, to)] },
        );
        expect(statements({ ...world, licenses: after })).toEqual(statements({ ...world, licenses: before }));
      }),
    );
  });

  it('the same facts give the same bytes', () => {
    fc.assert(
      fc.property(anyMarket, (world) => {
        expect(PARTNERS.map((partner) => hashOf(partner, world))).toEqual(
          PARTNERS.map((partner) => hashOf(partner, world)),
        );
      }),
    );
  });

  it('the totals of one currency do not depend on another', () => {
    fc.assert(
      fc.property(anyMarket, fc.constantFrom('EUR', 'USD', 'JPY'), (world, currency) => {
        const alone = world.contracts.filter((contract) => contract.state.currency === currency);
        const figures = statements({ ...world, contracts: alone });
        statements(world).forEach((statement, index) => {
          expect(figures[index]!.totals).toEqual(statement.totals.filter((total) => total.currency === currency));
          expect(figures[index]!.lines).toEqual(statement.lines.filter((line) => line.currency === currency));
        });
      }),
    );
  });

  it('usage never decreases from day to day and ends equal to the statement', () => {
    fc.assert(
      fc.property(anyMarket, (world) => {
        const accrued = Array.from({ length: world.period.days }, (_, index) => {
          const window = BillingWindow.through(world.period, world.period.firstDay.plusDays(index));
          return statementOf('A', world.contracts, world.licenses, window);
        });
        accrued.slice(1).forEach((usage, index) => {
          for (const { currency, cents } of accrued[index]!.totals) {
            expect(usage.totals.find((total) => total.currency === currency)!.cents).toBeGreaterThanOrEqual(cents);
          }
        });
        expect(accrued.at(-1)).toEqual(statements(world)[0]);
      }),
    );
  });
});

function sum(amounts: readonly { amountCents: number }[]): number {
  return amounts.reduce((total, { amountCents }) => total + amountCents, 0);
}

/** The license as it was known at the end of the month, without anything dated later. */
function onlyUntil<T extends LicenseHistory>({ period }: World, license: T): T {
  const later = license.terminatedOn !== null && period.lastDay.isBefore(license.terminatedOn);
  const transfers = license.transfers.filter((transfer) => !period.lastDay.isBefore(transfer.effectiveDate));
  return { ...license, transfers, terminatedOn: later ? null : license.terminatedOn };
}

function move(effectiveDate: RecordedTransfer['effectiveDate'], to: number): RecordedTransfer {
  return { effectiveDate, toContractId: idOf(`c${to}`), recordedOrder: 1000, outEventId: 99_997, inEventId: 99_998 };
}

function hashOf(partner: string, { period, contracts, licenses }: World): string {
  const own = contracts.filter((contract) => contract.state.partnerId === idOf(partner));
  const { lines, totals } = calculateStatement(own, spansUnder(own, licenses), BillingWindow.wholeMonth(period));
  const hash = new FiguresHash(idOf(partner), period);
  for (const line of lines) {
    for (const part of line.detail) hash.part(part);
    hash.line(line);
  }
  return hash.finish(totals);
}
