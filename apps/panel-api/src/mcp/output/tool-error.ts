import { Conflict } from '#kernel/errors';
import { problemOf } from '#platform/problem';
import { errorDetails, panelErrorCode } from '../../http/panel-error-body.js';

/** The call changes something, but was sent without `confirm: true`. */
export class ConfirmationRequired extends Conflict {
  constructor(effect: string) {
    super('confirmation_required', `${effect} Ask the user, then call again with confirm: true.`);
  }
}

/** The error as the model sees it: the same code and message as in REST. */
export function toolError(error: unknown): { readonly code: string; readonly message: string } {
  const { status, slug, message, violations } = problemOf(error);
  return { code: panelErrorCode(status, slug), message, ...errorDetails(violations) };
}
