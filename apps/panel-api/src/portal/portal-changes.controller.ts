import { Body, Headers, Param, Query, Res } from '@nestjs/common';
import { OmitType } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { ChangeRequests } from '../services/change-requests.js';
import { GetServiceSource, ListServiceVersions, UpdateService } from '../services/change-routes.js';
import { PORTAL } from '../services/route-area.js';
import type { AcceptedServiceDto, ServiceDto } from '../services/service.dto.js';
import { UpdateServiceDto } from '../services/update-service.dto.js';
import type { ServiceSourceDto, ServiceVersionPageDto } from '../services/version.dto.js';
import { PortalController } from './portal-controller.decorator.js';

/** Changes to services of the caller's organisation. A service cannot be moved to another one. */
export class PortalUpdateServiceDto extends OmitType(UpdateServiceDto, ['customerId']) {
  static readonly check = UpdateServiceDto.check;
}

@PortalController('services')
export class PortalChangesController {
  constructor(
    private readonly requests: ChangeRequests,
    private readonly scope: CallerScope,
  ) {}

  @UpdateService(PORTAL)
  async update(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: PortalUpdateServiceDto,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ServiceDto | AcceptedServiceDto> {
    const request = { body, ifMatch, portsAllowed: false };
    return this.requests.update(caller, await this.scope.ofHome(caller), id, request, reply);
  }

  @ListServiceVersions(PORTAL)
  async versions(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Record<string, unknown>,
  ): Promise<ServiceVersionPageDto> {
    return this.requests.versions(await this.scope.ofHome(caller), id, query);
  }

  @GetServiceSource(PORTAL)
  async source(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ServiceSourceDto> {
    return this.requests.source(caller, await this.scope.ofHome(caller), id, reply);
  }
}
