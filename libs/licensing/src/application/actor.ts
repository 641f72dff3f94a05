import type { PartnerSubtree } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';

/** The caller: what it may see, and its name in the ledger. */
export interface Actor {
  readonly subtree: PartnerSubtree;
  /** Partner id of a token, e-mail of a signed-in person, null for the system. */
  readonly name: string | null;
  /**
   * The same for every repeat of a request with its Idempotency-Key: work that an earlier attempt has done is not
   * repeated. Null for requests that are never repeated.
   */
  readonly operationId: Uuid | null;
}
