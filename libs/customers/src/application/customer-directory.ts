import type { PartnerSubtree } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';

/** A customer as other contexts see it. */
export interface CustomerRef {
  readonly id: Uuid;
  readonly partnerId: Uuid;
}

/** The customers as other contexts see them, without deleted ones. Reads in the caller's transaction. */
export abstract class CustomerDirectory {
  /** Null if the subtree has no such customer. */
  abstract find(subtree: PartnerSubtree, id: Uuid): Promise<CustomerRef | null>;
}
