import { Body, Controller, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from './caller-scope.js';
import { ChangeRequests } from './change-requests.js';
import { GetServiceSource, ListServiceVersions, UpdateService } from './change-routes.js';
import { PANEL } from './route-area.js';
import type { AcceptedServiceDto, ServiceDto } from './service.dto.js';
import { UpdateServiceDto } from './update-service.dto.js';
import type { ServiceSourceDto, ServiceVersionPageDto } from './version.dto.js';

@ApiTags('Services')
@Controller('api/v1/services')
export class ServiceChangesController {
  constructor(
    private readonly requests: ChangeRequests,
    private readonly scope: CallerScope,
  ) {}

  @UpdateService(PANEL)
  async update(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() given: UpdateServiceDto,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ServiceDto | AcceptedServiceDto> {
    const body = await this.inScope(caller, given);
    return this.requests.update(caller, await this.scope.of(caller), id, { body, ifMatch, portsAllowed: true }, reply);
  }

  @ListServiceVersions(PANEL)
  async versions(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Record<string, unknown>,
  ): Promise<ServiceVersionPageDto> {
    return this.requests.versions(await this.scope.of(caller), id, query);
  }

  @GetServiceSource(PANEL)
  async source(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ServiceSourceDto> {
    return this.requests.source(caller, await this.scope.of(caller), id, reply);
  }

  /** A bound key assigns services to organisations that it can see, and to no others. */
  private async inScope(caller: Caller, body: UpdateServiceDto): Promise<UpdateServiceDto> {
    const { customerId } = UpdateServiceDto.change(body);
    if (customerId === undefined) return body;
    return { ...body, customerId: await this.scope.customerOf(caller, customerId) };
  }
}
