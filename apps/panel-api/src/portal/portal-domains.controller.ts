import { Body, Param } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PORTAL } from '../services/route-area.js';
import { AddDomainDto, ChangeDomainDto, type DomainDto, type DomainListDto } from '../domains/domain.dto.js';
import { DomainRequests } from '../domains/domain-requests.js';
import { AddDomain, ChangeDomain, ListDomains, RemoveDomain, VerifyDomain } from '../domains/domain-routes.js';
import { PortalController } from './portal-controller.decorator.js';

@PortalController('')
export class PortalDomainsController {
  constructor(
    private readonly requests: DomainRequests,
    private readonly scope: CallerScope,
  ) {}

  @ListDomains(PORTAL)
  async list(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<DomainListDto> {
    return this.requests.list(await this.scope.ofHome(caller), id);
  }

  @AddDomain(PORTAL)
  async add(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: AddDomainDto,
  ): Promise<DomainDto> {
    return this.requests.add(caller, await this.scope.ofHome(caller), id, body);
  }

  @ChangeDomain(PORTAL)
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: ChangeDomainDto,
  ): Promise<DomainDto> {
    return this.requests.change(caller, await this.scope.ofHome(caller), id, body);
  }

  @VerifyDomain(PORTAL)
  async verify(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<DomainDto> {
    return this.requests.verify(await this.scope.ofHome(caller), id);
  }

  @RemoveDomain(PORTAL)
  async remove(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<void> {
    await this.requests.remove(caller, await this.scope.ofHome(caller), id);
  }
}
