import type { INestApplicationContext } from '@nestjs/common';
import { Contracts, type BillingContract, type ContractTerms } from '#libs/billing';
import { Customers } from '#libs/customers';
import { PartnerSubtree } from '#libs/partners';
import { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';

type GivenContract = Partial<Omit<ContractTerms, 'validFrom' | 'validTo'>> & { validFrom?: string; validTo?: string };

let counter = 0;

/** A contract. By default it is metered at 10.00 EUR a month and valid since 2020. */
export async function aContract(
  app: INestApplicationContext,
  partnerId: Uuid,
  { validFrom = '2020-01-01', validTo, ...terms }: GivenContract = {},
): Promise<BillingContract['state']> {
  const contract = await app.get(Contracts, { strict: false }).create({
    partnerId,
    reference: `Agreement ${++counter}`,
    model: 'per_instance_metered',
    currency: 'EUR',
    unitPriceCents: 1000,
    licenseCap: null,
    packSize: null,
    editions: [],
    ...terms,
    validFrom: BillingDate.parse(validFrom)!,
    validTo: validTo === undefined ? null : BillingDate.parse(validTo),
  });
  return contract.state;
}

export async function aCustomer(app: INestApplicationContext, partnerId: Uuid, name = `Customer ${++counter}`) {
  return app.get(Customers, { strict: false }).create(PartnerSubtree.of(partnerId), partnerId, { name });
}
