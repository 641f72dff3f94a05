import type { INestApplicationContext } from '@nestjs/common';
import { Customers, type Customer, type CustomerDetails } from '#libs/customers';
import { PartnerSubtree } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';

let counter = 0;

/** An active customer of the partner. */
export function aCustomer(
  app: INestApplicationContext,
  partnerId: Uuid,
  overrides: Partial<CustomerDetails> = {},
): Promise<Customer> {
  const input = { name: `Customer ${++counter}`, ...overrides };
  return app.get(Customers, { strict: false }).create(PartnerSubtree.of(partnerId), partnerId, input);
}
