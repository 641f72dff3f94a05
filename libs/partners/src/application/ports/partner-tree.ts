import type { Uuid } from '#kernel/crypto/uuid';
import type { PartnerSubtree } from '../../domain/tenancy.js';

/** Questions to the shape of the tree, asked in the hot path. */
export abstract class PartnerTree {
  abstract contains(subtree: PartnerSubtree, partnerId: Uuid): Promise<boolean>;
  /**
   * Keeps the tree as it is until the transaction ends; many may hold it at once. Whoever writes a record together
   * with rows for each of its partner's ancestors takes it first, before any other lock and before reading the tree.
   */
  abstract lockTreeForShare(): Promise<void>;
}
