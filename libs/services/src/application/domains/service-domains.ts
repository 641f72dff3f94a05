import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { AuditLog, type AuditAction, type AuditActor } from '#libs/panel-auth';
import { DomainTaken, HostOfThePanel, ServiceIsRemoved, TooManyDomains } from '../../domain/domains/domain-errors.js';
import type { AskedTarget } from '../../domain/domains/domain-target.js';
import { liesUnder, parentsOf, parseHostName, type HostName } from '../../domain/domains/host-name.js';
import {
  MAX_DOMAINS_PER_SERVICE,
  nextCheckAt,
  verificationFor,
  verified,
  type ServiceDomain,
  type TlsMode,
} from '../../domain/domains/service-domain.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { ServiceState } from '../../domain/service-state.js';
import { DomainRepository } from '../ports/ingress/domain-repository.js';
import { ServiceQueries } from '../ports/service-queries.js';
import { ServiceRecords } from '../service-records.js';
import { DomainTargets } from './domain-targets.js';
import { IngressSettings } from './ingress-settings.js';

export interface NewDomain extends AskedTarget {
  readonly host: string;
  /** Null: it becomes the primary domain if the service has none. */
  readonly isPrimary: boolean | null;
  readonly tls: TlsMode;
}

export interface DomainChange {
  readonly targetService?: string;
  readonly targetPort?: number;
  readonly isPrimary?: boolean;
  readonly tls?: TlsMode;
}

const TOKEN_BYTES = 32;

/** Domains of services: who may claim which host, and what it points to. */
@Injectable()
export class ServiceDomains {
  constructor(
    private readonly domains: DomainRepository,
    private readonly queries: ServiceQueries,
    private readonly records: ServiceRecords,
    private readonly targets: DomainTargets,
    private readonly audit: AuditLog,
    private readonly settings: IngressSettings,
  ) {}

  /** @throws NotFound */
  async list(scope: OrganisationScope, serviceId: Uuid): Promise<readonly ServiceDomain[]> {
    if (!(await this.queries.get(scope, serviceId))) throw new NotFound();
    return this.domains.list(scope, serviceId);
  }

  /**
   * @throws NotFound; Invalid naming the field; HostOfThePanel
   * @throws DomainTaken; TooManyDomains; ServiceIsRemoved
   */
  async add(scope: OrganisationScope, serviceId: Uuid, asked: NewDomain, actor: AuditActor): Promise<ServiceDomain> {
    const host = parseHostName(asked.host);
    const service = await this.visible(scope, serviceId);
    if (this.settings.ownHosts.has(host)) throw new HostOfThePanel();
    const target = await this.targets.resolve(service, asked);
    return this.records.transactions.run(async () => {
      const { status, customerId } = await this.locked(scope, serviceId);
      if (status === 'removing') throw new ServiceIsRemoved();
      await this.claim(host, customerId);
      const others = await this.domains.list(scope, serviceId);
      if (others.length >= MAX_DOMAINS_PER_SERVICE) throw new TooManyDomains(MAX_DOMAINS_PER_SERVICE);
      const isPrimary = asked.isPrimary ?? others.every((other) => !other.isPrimary);
      const domain = this.fresh({ serviceId, host, ...target, isPrimary, tls: asked.tls });
      if (isPrimary) await this.domains.clearPrimary(serviceId, domain.id);
      await this.domains.insert(domain, this.firstCheckAt(domain));
      await this.note('domain.added', domain, customerId, actor);
      return domain;
    });
  }

  /**
   * Assigns a host directly under the base domain to a new service. Call it in the transaction that stores the service.
   * If the name is taken, a part of the service's id is appended.
   * @returns null without a base domain
   */
  async addUnderBaseDomain(
    service: Pick<ServiceState, 'id' | 'customerId'>,
    asked: { readonly label: string; readonly targetService: string; readonly targetPort: number },
    actor: AuditActor,
  ): Promise<ServiceDomain | null> {
    const { baseDomain } = this.settings;
    if (baseDomain === null) return null;
    const label = labelOf(asked.label);
    const tail = service.id.replaceAll('-', '').slice(-8);
    const plain = parseHostName(`${label}.${baseDomain}`);
    const isFree = !this.settings.ownHosts.has(plain) && (await this.domains.holders([plain])).length === 0;
    const host = isFree ? plain : parseHostName(`${label}-${tail}.${baseDomain}`);
    const { targetService, targetPort } = asked;
    const place = { serviceId: service.id, host, targetService, targetPort };
    const domain = this.fresh({ ...place, isPrimary: true, tls: 'automatic' });
    return this.records.transactions.run(async () => {
      await this.domains.insert(domain, this.firstCheckAt(domain));
      await this.note('domain.added', domain, service.customerId, actor);
      return domain;
    });
  }

  /** @throws NotFound; Invalid naming the field */
  async change(scope: OrganisationScope, id: Uuid, change: DomainChange, actor: AuditActor): Promise<ServiceDomain> {
    const seen = await this.existing(scope, id);
    const service = await this.visible(scope, seen.serviceId);
    const moves = change.targetService !== undefined || change.targetPort !== undefined;
    const { targetService, targetPort } = seen;
    const target = moves ? await this.targets.resolve(service, { targetService, targetPort, ...change }) : {};
    return this.records.transactions.run(async () => {
      const { customerId } = await this.locked(scope, seen.serviceId);
      const domain = await this.existing(scope, id);
      const { isPrimary = domain.isPrimary, tls = domain.tls } = change;
      const certificate = tls === domain.tls ? {} : { certificateExpiresAt: null };
      const changed: ServiceDomain = { ...domain, ...target, isPrimary, tls, ...certificate };
      if (isPrimary) await this.domains.clearPrimary(domain.serviceId, id);
      await this.domains.update(changed);
      await this.note('domain.changed', changed, customerId, actor);
      return changed;
    });
  }

  /** If the primary domain is removed, the oldest remaining one replaces it, active ones first. @throws NotFound */
  async remove(scope: OrganisationScope, id: Uuid, actor: AuditActor): Promise<void> {
    const seen = await this.existing(scope, id);
    await this.records.transactions.run(async () => {
      const { customerId } = await this.locked(scope, seen.serviceId);
      const domain = await this.existing(scope, id);
      await this.domains.delete(id);
      await this.note('domain.removed', domain, customerId, actor);
      if (!domain.isPrimary) return;
      const left = await this.domains.list(scope, domain.serviceId);
      const heir = left.find(({ status }) => status === 'active') ?? left[0];
      if (heir) await this.domains.update({ ...heir, isPrimary: true });
    });
  }

  /**
   * Makes sure that the host is free. A claim that was not verified in time is removed. Below a host under the base
   * domain, only the organisation that owns that host may have domains.
   */
  private async claim(host: HostName, customerId: Uuid | null): Promise<void> {
    const { baseDomain } = this.settings;
    const isBelowBase = baseDomain !== null && liesUnder(host, baseDomain);
    const above = isBelowBase ? parentsOf(host).filter((parent) => liesUnder(parent, baseDomain)) : [];
    for (const { domain, customerId: owner } of await this.domains.holders([host, ...above])) {
      const isSame = domain.host === host;
      if (isSame && domain.status === 'failed') await this.domains.delete(domain.id);
      else if (isSame || owner !== customerId) throw new DomainTaken();
    }
  }

  private fresh(
    place: Pick<ServiceDomain, 'serviceId' | 'host' | 'targetService' | 'targetPort' | 'isPrimary' | 'tls'>,
  ): ServiceDomain {
    const { clock, randomness } = this.records;
    const token = randomness.bytes(TOKEN_BYTES).toString('base64url');
    const now = clock.now();
    const domain: ServiceDomain = {
      id: randomness.uuid(),
      ...place,
      status: 'pending',
      verification: verificationFor(place.host, this.settings.baseDomain, token),
      verifiedAt: null,
      certificateExpiresAt: null,
      createdAt: now,
    };
    const isProven = domain.verification.method === 'base_domain' && this.settings.isOn;
    return isProven ? verified(domain, now) : domain;
  }

  /** Now, or never if the domain needs no verification. */
  private firstCheckAt(domain: ServiceDomain): Date | null {
    const now = this.records.clock.now();
    return nextCheckAt(domain, now) === null ? null : now;
  }

  private async existing(scope: OrganisationScope, id: Uuid): Promise<ServiceDomain> {
    const domain = await this.domains.get(scope, id);
    if (!domain) throw new NotFound();
    return domain;
  }

  private async visible(scope: OrganisationScope, serviceId: Uuid): Promise<ServiceState> {
    const isShown = await this.queries.get(scope, serviceId);
    const service = isShown && (await this.records.services.get(scope, serviceId));
    if (!service) throw new NotFound();
    return service.state;
  }

  /** Locks the service, so that changes of its domains are serialised. */
  private async locked(scope: OrganisationScope, serviceId: Uuid): Promise<ServiceState> {
    const service = await this.records.services.getForUpdate(scope, serviceId);
    if (!service) throw new NotFound();
    return service.state;
  }

  private async note(
    action: AuditAction,
    { id, serviceId, host }: ServiceDomain,
    organisationId: Uuid | null,
    actor: AuditActor,
  ): Promise<void> {
    await this.audit.record({ action, actor, organisationId, target: id, detail: { serviceId, host } });
  }
}

/** Turns a display name into one label of a host name. */
function labelOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'service' : plain;
}
