import { BillingWindow } from '../domain/ownership/billing-window.js';
import type { BillingContract } from '../domain/contracts/contract.js';
import type { NamedHistory } from './a-license.js';
import { aContract } from './a-contract.js';
import { day, month, period } from './days.js';
import { readable, statementOf } from './statement-of.js';

interface Bill {
  /** The partner to bill. */
  of?: string;
  /** `YYYY-MM` */
  in: string;
  /** `YYYY-MM-DD`: live usage as of that day. */
  through?: string;
  contracts?: readonly BillingContract[];
  licenses?: readonly NamedHistory[];
}

/** The statement of one partner, with the test's names; contract `cA` of partner `A` if no other is given. */
export function bill({ of = 'A', in: name, through, contracts = [aContract()], licenses = [] }: Bill) {
  const window = through === undefined ? month(name) : BillingWindow.through(period(name), day(through));
  return readable(statementOf(of, contracts, licenses, window), window.period.days);
}

/** `{ days, amountCents }` of the only license of the statement. */
export function onlyPart(statement: ReturnType<typeof bill>): { days: number; amountCents: number } {
  const parts = statement.lines.flatMap((line) => line.detail);
  if (parts.length !== 1) throw new RangeError(`expected one part, not ${parts.length}`);
  return { days: parts[0]!.days, amountCents: parts[0]!.amountCents };
}
