import { Injectable } from '@nestjs/common';
import { ContractImport } from '#libs/billing';
import { CustomerImport } from '#libs/customers';
import { PartnerImport } from '#libs/partners';
import type { AffectedPartners } from './affected-partners.js';
import { StagedLines } from './ports/staged-lines.js';

/** Stores the imported partners, contracts, customers and contacts. */
@Injectable()
export class OwnerTakeover {
  constructor(
    private readonly staged: StagedLines,
    private readonly partners: PartnerImport,
    private readonly contracts: ContractImport,
    private readonly customers: CustomerImport,
  ) {}

  async write(now: Date, affected: AffectedPartners): Promise<void> {
    for await (const partners of this.staged.partners(now)) {
      await this.partners.insert(partners);
      partners.forEach(({ id }) => affected.bring(id));
    }
    for await (const contracts of this.staged.contracts(now)) {
      await this.contracts.insert(contracts);
      for (const { state, hasLineWithoutLicenses } of contracts) {
        if (hasLineWithoutLicenses) affected.affect(state.partnerId, state.validFrom);
      }
    }
    for await (const customers of this.staged.customers(now)) await this.customers.insertCustomers(customers);
    for await (const contacts of this.staged.contacts(now)) await this.customers.insertContacts(contacts);
  }
}
