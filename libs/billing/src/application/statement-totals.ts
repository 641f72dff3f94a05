import { Injectable } from '@nestjs/common';
import type { BillingPeriod } from '#kernel/time/billing-period';
import { Clock } from '#kernel/time/clock';
import type { Money } from '#kernel/money/money';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import type { BillingContract } from '../domain/contracts/contract.js';
import { totalsByDays } from '../domain/statements/totals-by-days.js';
import { BillableLicenseSource, type DayCount } from './ports/billable-license-source.js';
import { ContractRepository } from './ports/contract-repository.js';
import { windowOf } from './statement-computation.js';

/**
 * The totals of all partners for a month by today's facts, without parts and without storing anything. The database
 * counts the licenses, so a million licenses take a second.
 */
@Injectable()
export class StatementTotals {
  constructor(
    private readonly contracts: ContractRepository,
    private readonly source: BillableLicenseSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** By partner; includes every partner that has a contract. */
  async of(period: BillingPeriod): Promise<ReadonlyMap<Uuid, readonly Money[]>> {
    const window = windowOf(period, this.clock.now());
    const [contracts, counts] = await this.transactions.run(async () => {
      return [await this.contracts.all(), await this.source.dayCounts(window)] as const;
    });
    const byContract = grouped(counts, ({ contractId }: DayCount) => contractId);
    const byPartner = grouped(contracts, ({ state }: BillingContract) => state.partnerId);
    return new Map([...byPartner].map(([id, own]) => [id, totalsByDays(own, byContract, window)]));
  }
}

function grouped<T>(items: readonly T[], key: (item: T) => Uuid): Map<Uuid, T[]> {
  const groups = new Map<Uuid, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
