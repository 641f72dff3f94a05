import type { Uuid } from '#kernel/crypto/uuid';

/**
 * A partner and all its descendants: the partners whose customers, licenses, contracts and transfers a caller may see.
 * Every query requires one, so code that forgets the tenancy does not compile.
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

/** A partner without its descendants: the partner whose tokens, usage and statements a caller may see. */
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
