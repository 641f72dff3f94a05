import { Injectable } from '@nestjs/common';
import { PartnerAccount } from '#libs/partners';
import { BillingDate } from '#kernel/time/calendar-date';
import type { BillingPeriod } from '#kernel/time/billing-period';
import type { Money } from '#kernel/money/money';
import type { Uuid } from '#kernel/crypto/uuid';
import { BillingWindow } from '../domain/ownership/billing-window.js';
import type { BillingContract } from '../domain/contracts/contract.js';
import { FiguresHash } from '../domain/statements/figures-hash.js';
import { chargingOf } from '../domain/contracts/pricing-model.js';
import { StatementCalculator, type StatementSink } from '../domain/statements/statement-calculator.js';
import { ContentsHash } from './contents-hash.js';
import { BillableLicenseSource, type BillableContract } from './ports/billable-license-source.js';
import { ContractRepository } from './ports/contract-repository.js';
import { FiguresStore, type FiguresWriter } from './ports/figures-store.js';
import type { StoredFigures } from './ports/statement-repository.js';

export interface Computed {
  readonly figuresHash: string;
  readonly contentsHash: string;
  readonly totals: readonly Money[];
  /** True if no contract has a line. */
  readonly isEmpty: boolean;
}

/** Computes the statement of a partner from the current facts, in constant memory. */
@Injectable()
export class StatementComputation {
  constructor(
    private readonly contracts: ContractRepository,
    private readonly source: BillableLicenseSource,
    private readonly store: FiguresStore,
  ) {}

  /**
   * Computes and stores.
   * @param now decides how far the current month is billed: through today
   * @param sink gets lines and parts as well
   */
  async compute(
    partnerId: Uuid,
    period: BillingPeriod,
    now: Date,
    sink: StatementSink | null = null,
  ): Promise<Computed & { figures: StoredFigures }> {
    const contracts = await this.contracts.listOf(PartnerAccount.of(partnerId));
    const writer = await this.store.begin(contracts);
    const takers = sink ? [writer, sink] : [writer];
    const computed = await this.run(partnerId, contracts, windowOf(period, now), takers, writer);
    const { contentsHash, totals } = computed;
    return { ...computed, figures: { number: writer.number, contentsHash, totals } };
  }

  /** Computes without storing anything. @param sink gets lines and parts as well */
  async check(partnerId: Uuid, period: BillingPeriod, now: Date, sink: StatementSink | null = null): Promise<Computed> {
    const contracts = await this.contracts.listOf(PartnerAccount.of(partnerId));
    return this.run(partnerId, contracts, windowOf(period, now), sink ? [sink] : [], null);
  }

  private async run(
    partnerId: Uuid,
    contracts: readonly BillingContract[],
    window: BillingWindow,
    takers: readonly StatementSink[],
    writer: FiguresWriter | null,
  ): Promise<Computed> {
    const figures = new FiguresHash(partnerId, window.period);
    const contents = new ContentsHash(contracts);
    const sink = new Fork([figures, contents, ...takers]);
    const calculator = new StatementCalculator(contracts, window, sink);
    for await (const spans of this.source.spans(billable(contracts), window)) {
      for (const span of spans) calculator.add(span);
      await writer?.flush();
    }
    const totals = calculator.finish();
    await writer?.flush(true);
    return {
      figuresHash: figures.finish(totals),
      contentsHash: contents.finish(totals),
      totals,
      isEmpty: totals.length === 0,
    };
  }
}

class Fork implements StatementSink {
  constructor(private readonly sinks: readonly StatementSink[]) {}

  part(part: Parameters<StatementSink['part']>[0]): void {
    for (const sink of this.sinks) sink.part(part);
  }

  line(line: Parameters<StatementSink['line']>[0]): void {
    for (const sink of this.sinks) sink.line(line);
  }
}

/** The days billed as of `now`: the current month is billed through today. */
export function windowOf(period: BillingPeriod, now: Date): BillingWindow {
  return period.hasEnded(now) ? BillingWindow.wholeMonth(period) : BillingWindow.through(period, BillingDate.of(now));
}

/** Contracts whose lines need facts about licenses. A flat fee is due without any license. */
function billable(contracts: readonly BillingContract[]): BillableContract[] {
  return contracts.flatMap(({ state: { id, model } }): BillableContract[] => {
    switch (chargingOf(model)) {
      case 'by-contract-day':
        return [];
      case 'by-pack':
        return [{ id, asks: 'draws' }];
      case 'by-license-day':
      case 'by-count':
        return [{ id, asks: 'spans' }];
    }
  });
}
