import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { actorOf, type Caller } from '#libs/panel-auth';
import {
  DomainVerification,
  IngressSettings,
  ServiceDomains,
  shownDomain,
  type OrganisationScope,
  type ServiceDomain,
} from '#libs/services';
import { AddDomainDto, ChangeDomainDto, DomainDto, type DomainListDto } from './domain.dto.js';

/** What the domain routes of both areas do, once the organisation is known. */
@Injectable()
export class DomainRequests {
  constructor(
    private readonly domains: ServiceDomains,
    private readonly verification: DomainVerification,
    private readonly settings: IngressSettings,
  ) {}

  async list(scope: OrganisationScope, serviceId: Uuid): Promise<DomainListDto> {
    return { data: (await this.domains.list(scope, serviceId)).map((domain) => this.shown(domain)) };
  }

  async add(caller: Caller, scope: OrganisationScope, serviceId: Uuid, body: AddDomainDto): Promise<DomainDto> {
    const { targetService = null, targetPort = null, isPrimary = null, tls = 'automatic' } = AddDomainDto.of(body);
    const asked = { host: body.host, targetService, targetPort, isPrimary, tls };
    return this.shown(await this.domains.add(scope, serviceId, asked, actorOf(caller)));
  }

  async change(caller: Caller, scope: OrganisationScope, id: Uuid, body: ChangeDomainDto): Promise<DomainDto> {
    return this.shown(await this.domains.change(scope, id, ChangeDomainDto.of(body), actorOf(caller)));
  }

  async verify(scope: OrganisationScope, id: Uuid): Promise<DomainDto> {
    return this.shown(await this.verification.verify(scope, id));
  }

  async remove(caller: Caller, scope: OrganisationScope, id: Uuid): Promise<void> {
    await this.domains.remove(scope, id, actorOf(caller));
  }

  private shown(domain: ServiceDomain): DomainDto {
    return DomainDto.of(shownDomain(domain, this.settings));
  }
}
