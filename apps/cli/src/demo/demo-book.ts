import type { INestApplicationContext } from '@nestjs/common';
import { Contracts, type BillingContract, type PricingModel } from '#libs/billing';
import { CustomerQueries, Customers, type Customer } from '#libs/customers';
import { PartnerAccount, PartnerSubtree, type Partner } from '#libs/partners';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import { PageRequest } from '#kernel/page';
import { Transactions } from '#kernel/transactions';

const CONTRACTS: readonly { model: PricingModel; unitPriceCents: number; packSize: number | null }[] = [
  { model: 'per_instance_metered', unitPriceCents: 1000, packSize: null },
  { model: 'flat_unlimited', unitPriceCents: 49_900, packSize: null },
  { model: 'prepaid_pack', unitPriceCents: 0, packSize: 10 },
  { model: 'trial', unitPriceCents: 0, packSize: null },
];

/** Contracts and customers of one demo partner: created on the first run, found again on later runs. */
export async function makeDemoBook(
  app: INestApplicationContext,
  partner: Partner,
): Promise<{ contracts: readonly BillingContract[]; customers: readonly Customer[] }> {
  const contracts = app.get(Contracts, { strict: false });
  const customers = app.get(Customers, { strict: false });
  const subtree = PartnerSubtree.of(partner.id);
  const found = await contracts.listOf(PartnerAccount.of(partner.id));
  if (found.length > 0) {
    const queries = app.get(CustomerQueries, { strict: false });
    const mine = await queries.list(subtree, { partnerId: partner.id }, PageRequest.lenient(50, 0));
    return { contracts: found, customers: mine };
  }
  const today = BillingDate.of(app.get(Clock, { strict: false }).now());
  return app.get(Transactions, { strict: false }).run(async () => {
    const signed = [];
    for (const terms of CONTRACTS) {
      signed.push(
        await contracts.create({
          ...terms,
          partnerId: partner.id,
          reference: `${partner.name}: ${terms.model}`,
          currency: 'EUR',
          validFrom: today.plusDays(-365),
          validTo: terms.model === 'trial' ? today.plusDays(30) : null,
          licenseCap: null,
          editions: [],
        }),
      );
    }
    const kept = [];
    for (const [index, city] of ['Vienna', 'Porto'].entries()) {
      const name = `${city} Web Shop`;
      kept.push(
        await customers.create(subtree, partner.id, { name, externalRef: `demo-${index + 1}`, billingCity: city }),
      );
    }
    return { contracts: signed, customers: kept };
  });
}
