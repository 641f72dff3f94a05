import { BillingContract } from '../domain/contracts/contract.js';
import type { ContractState } from '../domain/contracts/contract-terms.js';
import { day } from './days.js';
import { idOf } from './ids.js';

/** A metered contract `cA` of partner `A` over 10.00 EUR a month, without an end. */
export const METERED: ContractState = {
  id: idOf('cA'),
  partnerId: idOf('A'),
  reference: 'Agreement 2020/17',
  model: 'per_instance_metered',
  currency: 'EUR',
  unitPriceCents: 1000,
  validFrom: day('2020-01-01'),
  validTo: null,
  licenseCap: null,
  packSize: null,
  editions: [],
  createdAt: new Date('2020-01-01T00:00:00Z'),
};

export function aContract(terms: Partial<ContractState> = {}): BillingContract {
  return BillingContract.sign({ ...METERED, ...terms });
}
