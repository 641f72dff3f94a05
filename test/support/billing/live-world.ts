import type { INestApplicationContext } from '@nestjs/common';
import { KeyHandovers, LicenseChanges, LicenseIssuing, LicenseTransfers, type Actor } from '#libs/licensing';
import { PartnerSubtree } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';
import { aPartner, type PartnerWithTokens } from '../builders/a-partner.js';
import { aContract, aCustomer } from '../builders/a-world.js';
import type { FixedClock } from '../fixed-clock.js';
import type { Example, ExampleContract, ExampleLicense } from './example.js';

interface Held {
  readonly contractId: Uuid;
  readonly customerId: Uuid;
  readonly partner: PartnerWithTokens;
}

/** Replays examples with the real services, with the clock set to the time of each fact. Names stand for ids. */
export class LiveWorld {
  readonly partners = new Map<string, PartnerWithTokens>();
  readonly licenses = new Map<string, Uuid>();
  private readonly contracts = new Map<string, Held>();

  private constructor(
    private readonly app: INestApplicationContext,
    private readonly clock: FixedClock,
    private readonly actor: Actor,
  ) {}

  /** All changes are made by a distributor above all partners. */
  static async begin(app: INestApplicationContext, clock: FixedClock): Promise<LiveWorld> {
    const root = await aPartner(app, { type: 'distributor' });
    return new LiveWorld(app, clock, {
      subtree: PartnerSubtree.of(root.id),
      name: root.id,
      operationId: null,
    });
  }

  /** Replays the facts of an example in the order of their times. */
  async live({ contracts, licenses }: Pick<Example, 'contracts' | 'licenses'>): Promise<void> {
    for (const contract of contracts) await this.sign(contract);
    const facts = licenses.flatMap((license) => this.factsOf(license));
    facts.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.order - b.order));
    for (const { at, happen } of facts) {
      this.clock.set(at);
      await happen();
    }
  }

  async sign({ id, partner: name, validFrom, validTo, ...terms }: ExampleContract): Promise<void> {
    const partner = this.partners.get(name) ?? (await this.join(name));
    const validity = { ...(validFrom && { validFrom }), ...(validTo && { validTo }) };
    const packSize = terms.packSize ?? null;
    const contract = await aContract(this.app, partner.id, { ...terms, ...validity, packSize });
    const customer = await aCustomer(this.app, partner.id);
    this.contracts.set(id, { contractId: contract.id, customerId: customer.id, partner });
  }

  async issue(name: string, contract: string): Promise<void> {
    const { contractId, customerId } = this.contract(contract);
    const wish = { contractId, customerId, edition: 'web-host', externalBillingRef: name };
    const { license } = await this.app.get(LicenseIssuing).issue(this.actor, wish);
    // Confirms the key as the response would. Otherwise the key counts as lost when the clock leaps ahead.
    await this.app.get(KeyHandovers).leaving(license.id);
    this.licenses.set(name, license.id);
  }

  async transfer(name: string, toContract: string, effectiveDate?: string): Promise<void> {
    const { contractId, customerId, partner } = this.contract(toContract);
    await this.app.get(LicenseTransfers).transfer(this.actor, null, {
      licenseId: this.license(name),
      toPartnerId: partner.id,
      toCustomerId: customerId,
      toContractId: contractId,
      reason: 'sold',
      effectiveDate,
    });
  }

  async terminate(name: string): Promise<void> {
    await this.app.get(LicenseChanges).terminate(this.actor, this.license(name));
  }

  partner(name: string): PartnerWithTokens {
    return known(this.partners, name);
  }

  contract(name: string): Held {
    return known(this.contracts, name);
  }

  license(name: string): Uuid {
    return known(this.licenses, name);
  }

  private async join(name: string): Promise<PartnerWithTokens> {
    const partner = await aPartner(this.app, { name, parentId: this.actor.subtree.rootId });
    this.partners.set(name, partner);
    return partner;
  }

  private factsOf({ id, contract, issuedAt, terminatedAt, transfers }: ExampleLicense) {
    return [
      { at: instant(issuedAt, '00:00:00'), order: 0, happen: () => this.issue(id, contract) },
      ...transfers.map(({ seq, effectiveDate, toContract }) => ({
        at: instant(effectiveDate, '12:00:00'),
        order: seq,
        happen: () => this.transfer(id, toContract),
      })),
      ...(terminatedAt === null
        ? []
        : [{ at: instant(terminatedAt, '23:59:59'), order: Infinity, happen: () => this.terminate(id) }]),
    ];
  }
}

function instant(text: string, time: string): string {
  return text.length === 10 ? `${text}T${time}.000Z` : new Date(text).toISOString();
}

function known<T>(map: ReadonlyMap<string, T>, name: string): T {
  const found = map.get(name);
  if (!found) throw new Error(`the story has no ${name}`);
  return found;
}
