import type { Uuid } from '#kernel/crypto/uuid';

/**
 * The partner and all its descendants: what a caller may see of customers, licenses, contracts and transfers. Every
 * query on them takes one, so that code that forgets the tenancy does not compile.
 */
export class PartnerSubtree {
  readonly #kind = 'subtree';

  private constructor(readonly rootId: Uuid) {}

  static of(rootId: Uuid): PartnerSubtree {
    return new PartnerSubtree(rootId);
  }

  toString(): string {
    return `${this.#kind} of ${this.rootId}`;
  }
}

/** The partner alone, without descendants: whose tokens, usage and statements a caller may see. */
export class PartnerAccount {
  readonly #kind = 'account';

  private constructor(readonly partnerId: Uuid) {}

  static of(partnerId: Uuid): PartnerAccount {
    return new PartnerAccount(partnerId);
  }

  toString(): string {
    return `${this.#kind} of ${this.partnerId}`;
  }
}
