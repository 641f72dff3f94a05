import { Body, Param, Query } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { ComposeSourceDto } from '../services/create-service.dto.js';
import type { DeploymentPageDto } from '../services/deployment.dto.js';
import { PORTAL } from '../services/route-area.js';
import type { AcceptedServiceDto, ServiceDto, ServicePageDto, ValidatedComposeDto } from '../services/service.dto.js';
import { ServiceRequests } from '../services/service-requests.js';
import {
  CreateService,
  GetService,
  ListDeployments,
  ListServices,
  ValidateCompose,
} from '../services/service-routes.js';
import { NewServiceDto } from './new-service.dto.js';
import { PortalController } from './portal-controller.decorator.js';

@PortalController('services')
export class PortalServicesController {
  constructor(
    private readonly requests: ServiceRequests,
    private readonly scope: CallerScope,
  ) {}

  @ListServices(PORTAL, 'List the services of your organisation and those below it')
  async list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>): Promise<ServicePageDto> {
    return this.requests.list(await this.scope.ofHome(caller), query);
  }

  @CreateService(
    PORTAL,
    'Deploy a compose file for your organisation',
    ' Only administrators may publish host ports: every `ports` key is refused.',
  )
  async create(@CurrentCaller() caller: Caller, @Body() body: NewServiceDto): Promise<AcceptedServiceDto> {
    return this.requests.create(caller, body, { customerId: this.scope.home(caller), portsAllowed: false });
  }

  @ValidateCompose(PORTAL)
  async validate(@CurrentCaller() caller: Caller, @Body() body: ComposeSourceDto): Promise<ValidatedComposeDto> {
    return this.requests.validate(body, false, this.scope.home(caller));
  }

  @GetService(PORTAL)
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<ServiceDto> {
    return this.requests.get(await this.scope.ofHome(caller), id);
  }

  @ListDeployments(PORTAL)
  async deployments(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Record<string, unknown>,
  ): Promise<DeploymentPageDto> {
    return this.requests.deployments(await this.scope.ofHome(caller), id, query);
  }
}
