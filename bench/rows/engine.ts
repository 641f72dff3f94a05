import { BillingContract } from '../../libs/billing/src/domain/contracts/contract.js';
import { BillingWindow } from '../../libs/billing/src/domain/ownership/billing-window.js';
import {
  StatementCalculator,
  type BillableSpan,
} from '../../libs/billing/src/domain/statements/statement-calculator.js';
import { BillingPeriod } from '#kernel/time/billing-period';
import type { Uuid } from '#kernel/crypto/uuid';

const LICENSES = 1_000_000;
const MOVED_AWAY_AND_BACK = 30_000;
const ROUNDS = 5;

/**
 * Statement parts per second of CPU time of the calculator alone, without a database. The spans are created before the
 * measurement. The result is the median of the rounds.
 */
export function enginePartsPerSecond(): number {
  const period = BillingPeriod.of(2026, 6);
  const contract = BillingContract.sign({
    id: uuid(1),
    partnerId: uuid(2),
    reference: 'bench',
    model: 'per_instance_metered',
    currency: 'EUR',
    unitPriceCents: 1099,
    validFrom: period.firstDay,
    validTo: null,
    licenseCap: null,
    packSize: null,
    editions: [],
    createdAt: new Date(0),
  });
  const spans = spansOf(contract.state.id, period);
  const rates = Array.from({ length: ROUNDS }, () => {
    let parts = 0;
    const startedAt = process.cpuUsage();
    const sink = { part: () => void parts++, line: () => undefined };
    const calculator = new StatementCalculator([contract], BillingWindow.wholeMonth(period), sink);
    for (const span of spans) calculator.add(span);
    calculator.finish();
    const { user, system } = process.cpuUsage(startedAt);
    return parts / ((user + system) / 1_000_000);
  });
  return rates.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
}

/** One span for most licenses, two for those that were moved away in the middle of the month and came back. */
function spansOf(contractId: Uuid, period: BillingPeriod): BillableSpan[] {
  const first = period.firstDay.epochDay;
  const spans: BillableSpan[] = [];
  for (let index = 0; index < LICENSES; index++) {
    const license = { contractId, licenseId: uuid(index + 10), keyMasked: '…ABC123' };
    const issued = first - 100 + (index % 120);
    const moved = index < MOVED_AWAY_AND_BACK;
    const span = { ...license, openedBy: index, closedBy: null };
    if (!moved) spans.push({ ...span, firstDay: issued, lastDay: Number.MAX_SAFE_INTEGER });
    else {
      spans.push({ ...span, firstDay: first - 100, lastDay: first + 3, closedBy: index + 1 });
      spans.push({ ...span, firstDay: first + 12, lastDay: Number.MAX_SAFE_INTEGER, openedBy: index + 2 });
    }
  }
  return spans;
}

function uuid(number: number): Uuid {
  return `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}` as Uuid;
}
