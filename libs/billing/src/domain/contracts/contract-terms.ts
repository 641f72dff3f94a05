import type { BillingDate } from '#kernel/time/calendar-date';
import type { Violation } from '#kernel/errors';
import { characterCount, textDefect } from '#kernel/text/plain-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { isPricingModel, type PricingModel } from './pricing-model.js';
import { MAX_UNIT_PRICE_CENTS } from '../ownership/proration.js';

const MAX_REFERENCE_LENGTH = 200;
// The maximum of PostgreSQL's integer.
const MAX_COUNT = 2_147_483_647;
/** The codes known to the runtime. They include recently retired currencies, which imported contracts may use. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export interface ContractState {
  readonly id: Uuid;
  readonly partnerId: Uuid;
  /** The staff's name for the contract, as on paper. */
  readonly reference: string;
  readonly model: PricingModel;
  /** ISO 4217 */
  readonly currency: string;
  /** Monthly price of one license, or the monthly fee of a flat contract. */
  readonly unitPriceCents: number;
  readonly validFrom: BillingDate;
  /** Last valid day, inclusive. Null if no end is agreed. */
  readonly validTo: BillingDate | null;
  /** Maximum number of live licenses under flat_capped; null if the cap is unknown. */
  readonly licenseCap: number | null;
  /** Total number of licenses in a prepaid_pack; null for every other model. */
  readonly packSize: number | null;
  /** Editions that may be issued; empty allows all. */
  readonly editions: readonly string[];
  readonly createdAt: Date;
}

/** All problems with the terms of a contract, each under the name of its field. */
export function contractViolations(terms: ContractState): Violation[] {
  return [
    ...problem('reference', referenceProblem(terms.reference)),
    ...problem('model', isPricingModel(terms.model) ? null : 'is not a pricing model'),
    ...problem('currency', CURRENCIES.has(terms.currency) ? null : 'must be an assigned ISO 4217 code, such as EUR'),
    ...problem('unitPriceCents', integerProblem(terms.unitPriceCents, 0, MAX_UNIT_PRICE_CENTS)),
    ...endViolations(terms),
    ...problem('licenseCap', licenseCapProblem(terms)),
    ...problem('packSize', packSizeProblem(terms)),
    ...problem('editions', terms.editions.every((edition) => edition !== '') ? null : 'must not contain an empty name'),
  ];
}

/** The problems with the end of the validity only. */
export function endViolations({ validFrom, validTo }: ContractState): Violation[] {
  return problem('validTo', validTo?.isBefore(validFrom) ? 'must not be before validFrom' : null);
}

function referenceProblem(reference: string): string | null {
  if (reference.trim() === '') return 'must not be empty';
  if (characterCount(reference) > MAX_REFERENCE_LENGTH) {
    return `must have at most ${MAX_REFERENCE_LENGTH} characters`;
  }
  return textDefect(reference);
}

// An imported capped contract may have no cap. It is billed the same and has no limit.
function licenseCapProblem({ model, licenseCap }: ContractState): string | null {
  if (licenseCap === null) return null;
  if (model !== 'flat_capped') return 'belongs to the model flat_capped only';
  return integerProblem(licenseCap, 1, MAX_COUNT);
}

// A pack needs a size, because statements show how many licenses remain.
function packSizeProblem({ model, packSize }: ContractState): string | null {
  if (model !== 'prepaid_pack') return packSize === null ? null : 'belongs to the model prepaid_pack only';
  return packSize === null ? 'is required for the model prepaid_pack' : integerProblem(packSize, 1, MAX_COUNT);
}

function integerProblem(value: number, low: number, high: number): string | null {
  const fits = Number.isInteger(value) && value >= low && value <= high;
  return fits ? null : `must be an integer from ${low} to ${high}`;
}

function problem(field: string, text: string | null): Violation[] {
  return text === null ? [] : [{ path: `/${field}`, code: 'validation', message: `${field} ${text}` }];
}
