import type { Uuid } from '#kernel/crypto/uuid';
import type { Partner } from '../../domain/partner.js';

export abstract class PartnerRepository {
  /** Serialises changes of the tree's shape until the transaction ends; waits for all who hold the shared lock. */
  abstract lockTree(): Promise<void>;
  /** Every partner above this one, without itself. */
  abstract ancestorsOf(id: Uuid): Promise<Uuid[]>;
  abstract find(id: Uuid): Promise<Partner | null>;
  /** Adds a leaf below its parent, which must exist. */
  abstract insert(partner: Partner): Promise<void>;
  /** Moves the partner with its whole subtree below another one; the caller has checked that there is no cycle. */
  abstract move(id: Uuid, parentId: Uuid): Promise<void>;
  abstract rename(id: Uuid, name: string): Promise<void>;
  /** Every partner, parents before their children, then by name. For staff. */
  abstract listAll(): Promise<Partner[]>;
}
