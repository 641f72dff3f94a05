import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from './caller-scope.js';
import { ComposeSourceDto, CreateServiceDto } from './create-service.dto.js';
import type { DeploymentPageDto } from './deployment.dto.js';
import { PANEL } from './route-area.js';
import type { AcceptedServiceDto, ServiceDto, ServicePageDto, ValidatedComposeDto } from './service.dto.js';
import { ServiceRequests } from './service-requests.js';
import { CreateService, GetService, ListDeployments, ListServices, ValidateCompose } from './service-routes.js';

@ApiTags('Services')
@Controller('api/v1/services')
export class ServicesController {
  constructor(
    private readonly requests: ServiceRequests,
    private readonly scope: CallerScope,
  ) {}

  @ListServices(PANEL, 'List services')
  async list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>): Promise<ServicePageDto> {
    return this.requests.list(await this.scope.of(caller), query);
  }

  @CreateService(PANEL, 'Deploy a compose file')
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateServiceDto): Promise<AcceptedServiceDto> {
    const customerId = await this.scope.customerOf(caller, CreateServiceDto.customer(body));
    return this.requests.create(caller, body, { customerId, portsAllowed: true });
  }

  @ValidateCompose(PANEL)
  validate(@Body() body: ComposeSourceDto): Promise<ValidatedComposeDto> {
    return this.requests.validate(body, true);
  }

  @GetService(PANEL)
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<ServiceDto> {
    return this.requests.get(await this.scope.of(caller), id);
  }

  @ListDeployments(PANEL)
  async deployments(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Record<string, unknown>,
  ): Promise<DeploymentPageDto> {
    return this.requests.deployments(await this.scope.of(caller), id, query);
  }
}
