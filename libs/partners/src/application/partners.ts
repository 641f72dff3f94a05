import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { Conflict, Invalid } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { newPartner, partnerName, type Partner } from '../domain/partner.js';
import { PartnerSubtree } from '../domain/tenancy.js';
import { PartnerRepository } from './ports/partner-repository.js';
import { PartnerTree } from './ports/partner-tree.js';
import { TreeChanges } from './tree-changes.js';

/** Changes of the partner tree. Only staff can make them, no token. */
@Injectable()
export class Partners {
  constructor(
    private readonly repository: PartnerRepository,
    private readonly tree: PartnerTree,
    private readonly changes: TreeChanges,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** @throws Invalid if a field is invalid or the parent does not exist */
  create(input: { name: string; type: string; parentId: Uuid | null }): Promise<Partner> {
    return this.transactions.run(async () => {
      const partner = newPartner({ ...input, id: this.randomness.uuid(), createdAt: this.clock.now() });
      await this.repository.lockTree();
      if (partner.parentId) await this.existing(partner.parentId, 'parent');
      await this.repository.insert(partner);
      return partner;
    });
  }

  /**
   * Moves a partner, with everything below it, to another parent.
   * @throws Conflict `partner-cycle` if the new parent is in the partner's own subtree
   */
  move(id: Uuid, parentId: Uuid): Promise<Partner> {
    return this.transactions.run(async () => {
      await this.repository.lockTree();
      const partner = await this.existing(id, 'id');
      await this.existing(parentId, 'parent');
      if (partner.type === 'operator')
        throw new Conflict('operator-is-root', 'The operator is a root and cannot be moved.');
      if (await this.tree.contains(PartnerSubtree.of(id), parentId)) {
        throw new Conflict('partner-cycle', 'The new parent is below the partner. This would create a cycle.');
      }
      const before = await this.repository.ancestorsOf(id);
      await this.repository.move(id, parentId);
      const after = await this.repository.ancestorsOf(id);
      await this.changes.announce({
        movedId: id,
        lostBy: before.filter((ancestor) => !after.includes(ancestor)),
        gainedBy: after.filter((ancestor) => !before.includes(ancestor)),
      });
      return { ...partner, parentId };
    });
  }

  /** @throws Invalid if the name is invalid, or there is no such partner */
  rename(id: Uuid, name: string): Promise<Partner> {
    return this.transactions.run(async () => {
      const renamed = { ...(await this.existing(id, 'id')), name: partnerName(name) };
      await this.repository.rename(id, renamed.name);
      return renamed;
    });
  }

  list(): Promise<Partner[]> {
    return this.repository.listAll();
  }

  find(id: Uuid): Promise<Partner | null> {
    return this.repository.find(id);
  }

  private async existing(id: Uuid, field: string): Promise<Partner> {
    const partner = await this.repository.find(id);
    if (!partner) throw Invalid.field(field, `refers to a partner that does not exist: ${id}`);
    return partner;
  }
}
