import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { PANEL } from '../services/route-area.js';
import { AddDomainDto, ChangeDomainDto, type DomainDto, type DomainListDto } from './domain.dto.js';
import { DomainRequests } from './domain-requests.js';
import { AddDomain, ChangeDomain, ListDomains, RemoveDomain, VerifyDomain } from './domain-routes.js';

@ApiTags('Domains')
@Controller('api/v1')
export class DomainsController {
  constructor(
    private readonly requests: DomainRequests,
    private readonly scope: CallerScope,
  ) {}

  @ListDomains(PANEL)
  async list(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<DomainListDto> {
    return this.requests.list(await this.scope.of(caller), id);
  }

  @AddDomain(PANEL)
  async add(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: AddDomainDto,
  ): Promise<DomainDto> {
    return this.requests.add(caller, await this.scope.of(caller), id, body);
  }

  @ChangeDomain(PANEL)
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: ChangeDomainDto,
  ): Promise<DomainDto> {
    return this.requests.change(caller, await this.scope.of(caller), id, body);
  }

  @VerifyDomain(PANEL)
  async verify(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<DomainDto> {
    return this.requests.verify(await this.scope.of(caller), id);
  }

  @RemoveDomain(PANEL)
  async remove(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<void> {
    await this.requests.remove(caller, await this.scope.of(caller), id);
  }
}
