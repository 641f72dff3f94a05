import { Injectable } from '@nestjs/common';
import { Partners, PartnerAccount, PartnerSubtree } from '#libs/partners';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import { Invalid, NotFound } from '#kernel/errors';
import type { PageRequest } from '#kernel/page';
import { Randomness } from '#kernel/crypto/randomness';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { BillingContract } from '../domain/contracts/contract.js';
import type { ContractState } from '../domain/contracts/contract-terms.js';
import { LateFacts } from './late-facts.js';
import { ContractRepository } from './ports/contract-repository.js';

/** Terms as staff gives them; the rest is set here. */
export type ContractTerms = Omit<ContractState, 'id' | 'createdAt'>;

/** Told, in the same transaction, of a contract whose last valid day was set or moved. */
export interface ContractEndListener {
  contractEndChanged(contract: BillingContract): Promise<void>;
}

@Injectable()
export class Contracts {
  private readonly listeners: ContractEndListener[] = [];

  constructor(
    private readonly repository: ContractRepository,
    private readonly partners: Partners,
    private readonly lateFacts: LateFacts,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Called once per process by whoever keeps something that ends with a contract. */
  onEndChanged(listener: ContractEndListener): void {
    this.listeners.push(listener);
  }

  /** @throws Invalid naming every field that is wrong, or a partner that does not exist */
  create(terms: ContractTerms): Promise<BillingContract> {
    return this.transactions.run(async () => {
      const contract = BillingContract.sign({ ...terms, id: this.randomness.uuid(), createdAt: this.clock.now() });
      if (!(await this.partners.find(terms.partnerId))) {
        throw Invalid.field('partner', `refers to a partner that does not exist: ${terms.partnerId}`);
      }
      await this.repository.insert(contract);
      if (contract.costsByItself) await this.lateFacts.changed([terms.partnerId], terms.validFrom);
      return contract;
    });
  }

  /**
   * Sets or moves the last valid day of a contract. For staff, who may name any contract.
   * @throws NotFound when there is no such contract
   * @throws Invalid when it would end before it begins
   */
  end(id: Uuid, validTo: BillingDate): Promise<BillingContract> {
    return this.transactions.run(async () => {
      const owner = await this.repository.ownerOf(id);
      const found = owner && (await this.repository.findForUpdate(PartnerSubtree.of(owner), id));
      if (!found) throw new NotFound();
      const contract = found.end(validTo);
      await this.repository.updateEnd(contract);
      await this.noteLateEnd(found, contract);
      for (const listener of this.listeners) await listener.contractEndChanged(contract);
      return contract;
    });
  }

  /** @throws NotFound when the subtree has no such contract */
  async get(subtree: PartnerSubtree, id: Uuid): Promise<BillingContract> {
    const contract = await this.repository.find(subtree, id);
    if (!contract) throw new NotFound();
    return contract;
  }

  list(subtree: PartnerSubtree, page: PageRequest): Promise<BillingContract[]> {
    return this.repository.list(subtree, page);
  }

  listOf(account: PartnerAccount): Promise<BillingContract[]> {
    return this.repository.listOf(account);
  }

  /**
   * The contract as it is now, for putting a license on it. One that `isHeldToIssue` has to be got by `lockForIssuing`
   * when a license comes to it; the others need not be, so that their licenses are issued side by side.
   * @throws NotFound when the subtree has no such contract
   */
  async lookForIssuing(subtree: PartnerSubtree, id: Uuid): Promise<BillingContract> {
    const contract = await this.repository.look(subtree, id);
    if (!contract) throw new NotFound();
    return contract;
  }

  /**
   * The contract in the transaction that puts a license on it. A contract whose licenses are counted, or whose end
   * becomes the license's end, is held until that ends, so that counts hold under concurrency.
   * @throws NotFound when the subtree has no such contract
   */
  async lockForIssuing(subtree: PartnerSubtree, id: Uuid): Promise<BillingContract> {
    const contract = await this.get(subtree, id);
    if (!contract.isHeldToIssue) return contract;
    const held = await this.repository.findForUpdate(subtree, id);
    if (!held) throw new NotFound();
    return held;
  }

  /** Figures change from the first day on that is valid under one of the two ends alone. */
  private async noteLateEnd(before: BillingContract, after: BillingContract): Promise<void> {
    const ends = [before, after].flatMap(({ state }) => (state.validTo ? [state.validTo.epochDay] : []));
    if (!after.costsByItself || ends[0] === ends[1]) return;
    const firstDay = BillingDate.fromEpochDay(Math.min(...ends) + 1);
    await this.lateFacts.changed([after.state.partnerId], firstDay);
  }
}
