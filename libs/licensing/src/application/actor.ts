import type { PartnerSubtree } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';

/** The caller: the partners that it may see, and its name in the ledger. */
export interface Actor {
  readonly subtree: PartnerSubtree;
  /** Partner id of a token, e-mail of a signed-in person, null for the system. */
  readonly name: string | null;
  /** Derived from the request's Idempotency-Key, so that a repeat does not do the work again. Null without a key. */
  readonly operationId: Uuid | null;
}
