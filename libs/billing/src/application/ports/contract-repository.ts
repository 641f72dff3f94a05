import type { PartnerAccount, PartnerSubtree } from '#libs/partners';
import type { PageRequest } from '#kernel/page';
import type { Uuid } from '#kernel/crypto/uuid';
import type { BillingContract } from '../../domain/contracts/contract.js';

export abstract class ContractRepository {
  abstract insert(contract: BillingContract): Promise<void>;
  /** Stores the end of the validity: nothing else of a contract ever changes. */
  abstract updateEnd(contract: BillingContract): Promise<void>;
  abstract find(subtree: PartnerSubtree, id: Uuid): Promise<BillingContract | null>;
  /** Same as `find`, outside any transaction. */
  abstract look(subtree: PartnerSubtree, id: Uuid): Promise<BillingContract | null>;
  /**
   * Same as `find`, but locks the row until the transaction ends, so that callers who count against the contract take
   * turns.
   */
  abstract findForUpdate(subtree: PartnerSubtree, id: Uuid): Promise<BillingContract | null>;
  /**
   * Newest first.
   * @throws NotFound if `page.after` is not a contract of the subtree
   */
  abstract list(subtree: PartnerSubtree, page: PageRequest): Promise<BillingContract[]>;
  /** All contracts of one partner, by id. */
  abstract listOf(account: PartnerAccount): Promise<BillingContract[]>;
  /** All contracts, by partner, for the daily run. */
  abstract all(): Promise<BillingContract[]>;
  /** For staff, who may name any contract: the partner that it belongs to. */
  abstract ownerOf(id: Uuid): Promise<Uuid | null>;
}
