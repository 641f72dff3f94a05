import { Conflict } from '#kernel/errors';
import { problemOf } from '#platform/problem';
import { errorDetails, panelErrorCode } from '../../http/panel-error-body.js';

/** A call that changes something and does not say that it should. */
export class ConfirmationRequired extends Conflict {
  constructor(effect: string) {
    super('confirmation_required', `${effect} Ask the user, then call again with confirm: true.`);
  }
}

/** What a model is told of a failure: the code and the words that REST has for it. */
export function toolError(error: unknown): { readonly code: string; readonly message: string } {
  const { status, slug, message, violations } = problemOf(error);
  return { code: panelErrorCode(status, slug), message, ...errorDetails(violations) };
}
