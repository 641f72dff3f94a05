import * as fc from 'fast-check';
import { BillingDate } from '#kernel/time/calendar-date';
import { BillingPeriod } from '#kernel/time/billing-period';
import type { BillingContract } from '../domain/contracts/contract.js';
import { PRICING_MODELS } from '../domain/contracts/pricing-model.js';
import { aContract } from './a-contract.js';
import type { NamedHistory } from './a-license.js';
import { idOf } from './ids.js';

/** Partners with contracts, and licenses that move between them around one month. */
export interface World {
  readonly period: BillingPeriod;
  readonly contracts: readonly BillingContract[];
  readonly licenses: readonly NamedHistory[];
}

export const PARTNERS = ['A', 'B', 'C'] as const;

const CONTRACTS = 6;

// Months of 28, 29, 30 and 31 days, and two around the turn of a year.
const anyPeriod = fc.constantFrom('2026-02', '2028-02', '2026-04', '2026-07', '2026-12', '2027-01');
// Prices around half cents, and up to the highest price.
const anyPrice = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 3000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_000_000_000_000 }) },
);

function anyContract(first: number, index: number): fc.Arbitrary<BillingContract> {
  return fc
    .record({
      partner: fc.constantFrom(...PARTNERS),
      // Half of the contracts are metered.
      model: fc.constantFrom(...PRICING_MODELS, ...Array<'per_instance_metered'>(4).fill('per_instance_metered')),
      currency: fc.constantFrom('EUR', 'USD', 'JPY'),
      unitPriceCents: anyPrice,
      from: fc.integer({ min: -40, max: 40 }),
      length: fc.option(fc.integer({ min: 0, max: 60 })),
    })
    .map(({ partner, model, currency, unitPriceCents, from, length }) =>
      aContract({
        id: idOf(`c${index}`),
        partnerId: idOf(partner),
        model,
        currency,
        unitPriceCents,
        validFrom: BillingDate.fromEpochDay(first + from),
        validTo: length === null ? null : BillingDate.fromEpochDay(first + from + length),
        packSize: model === 'prepaid_pack' ? 5 : null,
      }),
    );
}

function anyLicense(first: number, index: number): fc.Arbitrary<NamedHistory> {
  const contract = fc.integer({ min: 0, max: CONTRACTS - 1 }).map((number) => idOf(`c${number}`));
  // Few different days, so that events coincide. Some transfers are outside the life of the license.
  const near = fc.integer({ min: -3, max: 34 });
  const transfer = fc.record({ on: near, toContractId: contract });
  return fc
    .record({
      contractId: contract,
      issued: fc.oneof(near, fc.integer({ min: -400, max: 40 })),
      life: fc.option(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 70 }))),
      transfers: fc.array(transfer, { maxLength: 5 }),
    })
    .map(({ contractId, issued, life, transfers }) => ({
      name: `l${String(index).padStart(2, '0')}`,
      contractId,
      issuedOn: BillingDate.fromEpochDay(first + issued),
      issueEventId: index * 100,
      terminatedOn: life === null ? null : BillingDate.fromEpochDay(first + issued + life),
      ...(life !== null && { terminationEventId: index * 100 + 99 }),
      transfers: transfers.map(({ on, toContractId }, order) => ({
        effectiveDate: BillingDate.fromEpochDay(first + on),
        recordedOrder: order,
        toContractId,
        outEventId: index * 100 + 2 * order + 1,
        inEventId: index * 100 + 2 * order + 2,
      })),
    }));
}

export function anyWorld(licenses: number): fc.Arbitrary<World> {
  return anyPeriod.chain((text) => {
    const period = BillingPeriod.parse(text)!;
    const first = period.firstDay.epochDay;
    return fc.record({
      period: fc.constant(period),
      contracts: fc.tuple(...Array.from({ length: CONTRACTS }, (_, index) => anyContract(first, index))),
      licenses: fc.tuple(...Array.from({ length: licenses }, (_, index) => anyLicense(first, index))),
    });
  });
}
