import type { PartnerSubtree } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';

/** A customer as other contexts see it. */
export interface CustomerRef {
  readonly id: Uuid;
  readonly partnerId: Uuid;
}

/** Tells other contexts which customers exist; deleted ones do not. Reads within the caller's own transaction. */
export abstract class CustomerDirectory {
  /** Null if the subtree has no such customer. */
  abstract find(subtree: PartnerSubtree, id: Uuid): Promise<CustomerRef | null>;
}
