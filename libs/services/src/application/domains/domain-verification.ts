import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { liesUnder } from '../../domain/domains/host-name.js';
import {
  nextCheckAt,
  provesClaim,
  unverified,
  verified,
  type ServiceDomain,
} from '../../domain/domains/service-domain.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import { DnsResolver, DnsUnavailable } from '../ports/ingress/dns-resolver.js';
import { DomainRepository } from '../ports/ingress/domain-repository.js';
import { Ingress } from '../ports/ingress/ingress.js';
import { ServiceRecords } from '../service-records.js';
import { IngressSettings } from './ingress-settings.js';

const BATCH = 20;
/** Certificates are renewed long before they expire, so they need not be checked before then. */
const RENEWED_BEFORE_MS = 30 * 86_400_000;

/** Verifies pending domains, and records when the certificates of domains expire. */
@Injectable()
export class DomainVerification {
  constructor(
    private readonly domains: DomainRepository,
    private readonly resolver: DnsResolver,
    private readonly ingress: Ingress,
    private readonly records: ServiceRecords,
    private readonly settings: IngressSettings,
  ) {}

  /** Checks now, regardless of the schedule. @throws NotFound */
  async verify(scope: OrganisationScope, id: Uuid): Promise<ServiceDomain> {
    const domain = await this.domains.get(scope, id);
    if (!domain) throw new NotFound();
    if (!this.settings.isOn || domain.status === 'active') return domain;
    return this.check(domain);
  }

  /** @returns how many domains were checked */
  async checkDue(): Promise<number> {
    if (!this.settings.isOn) return 0;
    const { transactions, clock } = this.records;
    const due = await transactions.run(() => this.domains.takeDue(clock.now(), BATCH));
    await Promise.all(due.map((domain) => this.check(domain)));
    return due.length;
  }

  async noteCertificates(): Promise<void> {
    if (!this.settings.isOn) return;
    const { transactions, clock } = this.records;
    const soon = new Date(clock.now().getTime() + RENEWED_BEFORE_MS);
    for (const { id, host, certificateExpiresAt } of await this.domains.withoutCertificate(soon, BATCH)) {
      const expiresAt = await this.ingress.certificateExpiresAt(host);
      if (expiresAt === null || expiresAt.getTime() === certificateExpiresAt?.getTime()) continue;
      await transactions.run(() => this.domains.noteCertificate(id, expiresAt));
    }
  }

  private async check(domain: ServiceDomain): Promise<ServiceDomain> {
    const problem = await this.problemOf(domain);
    const { transactions, clock } = this.records;
    const now = clock.now();
    const checked = problem === null ? verified(domain, now) : unverified(domain, problem, now);
    await transactions.run(() => this.domains.saveVerification(checked, nextCheckAt(checked, now)));
    return checked;
  }

  /** Null if the domain is verified. */
  private async problemOf({ host, verification }: ServiceDomain): Promise<string | null> {
    const { baseDomain, ownHosts } = this.settings;
    if (ownHosts.has(host)) return 'The host belongs to the panel itself.';
    const { method, record, value } = verification;
    if (method === 'base_domain') {
      const isBelow = baseDomain !== null && liesUnder(host, baseDomain);
      return isBelow ? null : 'The base domain of the installation has changed.';
    }
    try {
      const answers = await this.resolver.txt(record!);
      if (provesClaim(verification, answers)) return null;
      if (answers.length === 0) return `There is no TXT record ${record}.`;
      return `The TXT record ${record} does not say ${value}.`;
    } catch (error) {
      if (!(error instanceof DnsUnavailable)) throw error;
      return `The TXT record ${record} could not be looked up: ${error.message}.`;
    }
  }
}
