import type { BillingDate } from '#kernel/time/calendar-date';
import { Invalid, type Violation } from '#kernel/errors';
import type { BillingWindow } from '../ownership/billing-window.js';
import { contractCapReached, contractNotValid, editionNotInContract, packExhausted } from '../billing-errors.js';
import { contractViolations, endViolations, type ContractState } from './contract-terms.js';
import { chargingOf } from './pricing-model.js';
import { NEVER } from '../ownership/ownership-span.js';

/**
 * What a partner pays and what it may issue. Only the end of a contract ever changes: a new price is a new contract.
 */
export class BillingContract {
  private constructor(readonly state: ContractState) {}

  /** @throws Invalid naming every invalid field */
  static sign(terms: ContractState): BillingContract {
    refuse(contractViolations(terms));
    return new BillingContract({ ...terms, editions: [...new Set(terms.editions)] });
  }

  /** From stored data, which is trusted. */
  static restore(state: ContractState): BillingContract {
    return new BillingContract(state);
  }

  /** @throws Invalid if the contract would end before it begins */
  end(validTo: BillingDate): BillingContract {
    const ended = { ...this.state, validTo };
    refuse(endViolations(ended));
    return new BillingContract(ended);
  }

  isValidOn(day: BillingDate): boolean {
    return !day.isBefore(this.state.validFrom) && !this.state.validTo?.isBefore(day);
  }

  /** Whether the number of licenses on the contract is limited, so that issuing has to count. */
  get countsLicenses(): boolean {
    return this.state.licenseCap !== null || this.state.packSize !== null;
  }

  /**
   * Whether the contract must be locked while a license is put on it, because it counts licenses or its end is the
   * license's end.
   */
  get isLockedToIssue(): boolean {
    return this.countsLicenses || this.state.model === 'trial';
  }

  /** Whether the contract has a line in every month in which it is valid, even without a license. */
  get hasLineWithoutLicenses(): boolean {
    const charging = chargingOf(this.state.model);
    return charging === 'by-contract-day' || charging === 'by-pack';
  }

  /** Whether its statement line can have an amount, for each license or as a fee. */
  get bills(): boolean {
    const charging = chargingOf(this.state.model);
    return charging === 'by-license-day' || charging === 'by-contract-day';
  }

  /** Days of the window within the validity: those for which a flat fee is charged. */
  validDaysIn(window: BillingWindow): number {
    return window.daysWithin(this.state.validFrom.epochDay, this.state.validTo?.epochDay ?? NEVER);
  }

  /** @throws Invalid `edition-not-in-contract` */
  assertAllows(edition: string): void {
    if (this.state.editions.length > 0 && !this.state.editions.includes(edition)) throw editionNotInContract(edition);
  }

  /**
   * Checks a new license against edition and validity. `assertRoom` checks cap and pack.
   * @throws Invalid `edition-not-in-contract`
   * @throws Conflict `contract-not-valid`
   */
  assertIssuable(edition: string, day: BillingDate): void {
    this.assertAllows(edition);
    if (!this.isValidOn(day)) throw contractNotValid();
  }

  /**
   * Checks that the contract has room for one more license.
   * @param live licenses on the contract that are neither terminated nor expired
   * @param drawn licenses that were ever issued on the contract or moved to it
   * @throws Conflict `contract-cap-reached` or `pack-exhausted`
   */
  assertRoom({ live, drawn }: { live: number; drawn: number }): void {
    const { licenseCap, packSize } = this.state;
    if (licenseCap !== null && live >= licenseCap) throw contractCapReached(licenseCap);
    if (packSize !== null && drawn >= packSize) throw packExhausted(packSize);
  }
}

function refuse(violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  throw new Invalid('validation', violations.map((violation) => violation.message).join('; '), violations);
}
