import type { BillingContract } from '../domain/contracts/contract.js';

/** Imports contracts from an older system, many at a time, in the caller's transaction. */
export abstract class ContractImport {
  abstract insert(contracts: readonly BillingContract[]): Promise<void>;
}
