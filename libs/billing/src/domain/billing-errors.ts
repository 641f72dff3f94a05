import { Conflict, Invalid } from '#kernel/errors';

/** A license cannot be issued on the contract today. */
export function contractNotValid(): Conflict {
  return new Conflict('contract-not-valid', 'The contract is not valid on this day.');
}

export function contractCapReached(cap: number): Conflict {
  return new Conflict('contract-cap-reached', `The contract allows ${cap} licenses and all of them are in use.`);
}

export function packExhausted(size: number): Conflict {
  return new Conflict('pack-exhausted', `All ${size} licenses of the pack have been drawn.`);
}

export function editionNotInContract(edition: string): Invalid {
  return Invalid.field('edition', `${edition} is not covered by the contract`, 'edition-not-in-contract');
}

export function statementNotDraft(): Conflict {
  return new Conflict('statement-not-draft', 'The statement is not a draft: its figures are locked.');
}

export function statementNotFinalized(): Conflict {
  return new Conflict('statement-not-finalized', 'Only the latest finalized revision of a statement can be corrected.');
}

export function monthNotEnded(period: string): Conflict {
  return new Conflict('month-not-ended', `The month ${period} has not ended.`);
}

export function statementNotReviewed(): Conflict {
  return new Conflict('statement-not-reviewed', 'The statement has not been reviewed.');
}

export function figuresChanged(): Conflict {
  return new Conflict('figures-changed', 'The figures have changed since the review.');
}
