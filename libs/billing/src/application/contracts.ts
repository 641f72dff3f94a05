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

/** Terms as entered by staff, without what `Contracts` sets. */
export type ContractTerms = Omit<ContractState, 'id' | 'createdAt'>;

/** Called in the same transaction when the last valid day of a contract was set or moved. */
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

  /** Registers a listener for changes of a contract's end. Call it once per process. */
  onEndChanged(listener: ContractEndListener): void {
    this.listeners.push(listener);
  }

  /** @throws Invalid naming every invalid field, or a partner that does not exist */
  create(terms: ContractTerms): Promise<BillingContract> {
    return this.transactions.run(async () => {
      const contract = BillingContract.sign({ ...terms, id: this.randomness.uuid(), createdAt: this.clock.now() });
      if (!(await this.partners.find(terms.partnerId))) {
        throw Invalid.field('partner', `refers to a partner that does not exist: ${terms.partnerId}`);
      }
      await this.repository.insert(contract);
      if (contract.hasLineWithoutLicenses) await this.lateFacts.changed([terms.partnerId], terms.validFrom);
      return contract;
    });
  }

  /**
   * Sets or moves the last valid day of a contract. For staff, who may name any contract.
   * @throws NotFound if there is no such contract
   * @throws Invalid if it would end before it begins
   */
  end(id: Uuid, validTo: BillingDate): Promise<BillingContract> {
    return this.transactions.run(async () => {
      const owner = await this.repository.ownerOf(id);
      const found = owner && (await this.repository.findForUpdate(PartnerSubtree.of(owner), id));
      if (!found) throw new NotFound();
      const contract = found.end(validTo);
      await this.repository.updateEnd(contract);
      await this.flagLateEnd(found, contract);
      for (const listener of this.listeners) await listener.contractEndChanged(contract);
      return contract;
    });
  }

  /** @throws NotFound if the subtree has no such contract */
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
   * Reads the current contract, to put a license on it. If `isLockedToIssue`, use `lockForIssuing` instead. Other
   * contracts need no lock, so their licenses are issued in parallel.
   * @throws NotFound if the subtree has no such contract
   */
  async lookForIssuing(subtree: PartnerSubtree, id: Uuid): Promise<BillingContract> {
    const contract = await this.repository.look(subtree, id);
    if (!contract) throw new NotFound();
    return contract;
  }

  /**
   * Reads the contract in the transaction that puts a license on it. A contract that counts its licenses, or whose end
   * is the license's end, is locked until the transaction ends.
   * @throws NotFound if the subtree has no such contract
   */
  async lockForIssuing(subtree: PartnerSubtree, id: Uuid): Promise<BillingContract> {
    const contract = await this.get(subtree, id);
    if (!contract.isLockedToIssue) return contract;
    const held = await this.repository.findForUpdate(subtree, id);
    if (!held) throw new NotFound();
    return held;
  }

  /** Flags statements from the first day that is valid under only one of the two ends. */
  private async flagLateEnd(before: BillingContract, after: BillingContract): Promise<void> {
    const ends = [before, after].flatMap(({ state }) => (state.validTo ? [state.validTo.epochDay] : []));
    if (!after.hasLineWithoutLicenses || ends[0] === ends[1]) return;
    const firstDay = BillingDate.fromEpochDay(Math.min(...ends) + 1);
    await this.lateFacts.changed([after.state.partnerId], firstDay);
  }
}
