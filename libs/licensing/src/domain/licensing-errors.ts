import { Conflict, Invalid, Unavailable } from '#kernel/errors';
import type { TransitionRefusal } from './license-state.js';

const REFUSALS: Readonly<Record<TransitionRefusal, string>> = {
  'license-not-active': 'The license is not active.',
  'license-not-suspended': 'The license is not suspended.',
  'license-expired': 'The license has expired.',
  'license-terminated': 'The license is terminated, which is final.',
};

export function transitionRefused(reason: TransitionRefusal): Conflict {
  return new Conflict(reason, REFUSALS[reason]);
}

export function editionUnknown(known: readonly string[]): Invalid {
  return Invalid.field('edition', `must be one of ${known.join(', ')}`, 'edition-unknown');
}

/** @param fields that name records of different partners */
export function contractPartnerMismatch(...fields: readonly string[]): Invalid {
  const slug = 'contract-partner-mismatch';
  const message = `${fields.join(', ')} must belong to the same partner`;
  const violations = fields.map((field) => ({ path: `/${field}`, code: slug, message }));
  return new Invalid(slug, message, violations);
}

export function transferSameOwner(): Conflict {
  return new Conflict('transfer-same-owner', 'The license has this partner, customer and contract already.');
}

export function effectiveDateInFuture(): Invalid {
  return Invalid.field('effectiveDate', 'must not be in the future', 'effective-date-in-future');
}

export function effectiveDateBeforeIssue(): Invalid {
  return Invalid.field('effectiveDate', 'must not be before the day of issue', 'effective-date-before-issue');
}

export function effectiveDateBeforeLastTransfer(): Invalid {
  const slug = 'effective-date-before-last-transfer';
  return Invalid.field('effectiveDate', "must not be before the license's last transfer", slug);
}

/** @param why the rule that the day breaks */
export function effectiveDateInPast(why: string): Invalid {
  return Invalid.field('effectiveDate', why, 'effective-date-in-past');
}

/** Another call on the license did not finish in time. Nothing was changed. */
export function licenseBusy(): Unavailable {
  return new Unavailable('license-busy', 'Another change of this license is still being processed. Try again shortly.');
}
