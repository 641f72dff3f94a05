import type { PartnerSubtree } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';

/** A customer as other contexts know it. */
export interface CustomerRef {
  readonly id: Uuid;
  readonly partnerId: Uuid;
}

/** Answers other contexts which customers there are; deleted ones are not. Sees the caller's own transaction. */
export abstract class CustomerDirectory {
  /** Null when the subtree has no such customer. */
  abstract find(subtree: PartnerSubtree, id: Uuid): Promise<CustomerRef | null>;
}
