import type { SetStatement } from '#platform/database/batching/set-statement';
import type { Unavailable } from '#kernel/errors';
import { JoinedCall } from '../../application/ports/license-service.js';

/** A call of a license service in our own database: a statement that fails if it cannot do its work. */
export class JoinedStatement<Q = unknown> extends JoinedCall {
  protected readonly isJoinedCall = true;

  /** @param refusal the caller's error if a statement does not find everything it needs */
  constructor(
    readonly statement: SetStatement<Q>,
    readonly question: Q,
    readonly refusal: () => Unavailable,
  ) {
    super();
  }
}
