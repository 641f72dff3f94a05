import type { PartnerSubtree } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';

/** Who asks: what it may see, and the name under which the ledger knows it. */
export interface Actor {
  readonly subtree: PartnerSubtree;
  /** Partner id of a token, e-mail of a signed-in person, null for the system. */
  readonly name: string | null;
  /**
   * The same for every repeat of a request under its Idempotency-Key: what an earlier try has done is not done again.
   * Null for a request that is never repeated.
   */
  readonly operationId: Uuid | null;
}
