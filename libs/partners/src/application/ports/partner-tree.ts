import type { Uuid } from '#kernel/crypto/uuid';
import type { PartnerSubtree } from '../../domain/tenancy.js';

/** Queries on the shape of the tree, used in the hot path. */
export abstract class PartnerTree {
  abstract contains(subtree: PartnerSubtree, partnerId: Uuid): Promise<boolean>;
  /**
   * Prevents changes of the tree until the transaction ends; many transactions may hold it at once. Take it first,
   * before any other lock and before reading the tree, when you write a record together with rows for each of its
   * partner's ancestors.
   */
  abstract lockTreeForShare(): Promise<void>;
}
