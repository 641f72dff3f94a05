import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { CancelDeployment, GetDeployment, GetDeploymentLog } from './action-routes.js';
import { CallerScope } from './caller-scope.js';
import type { DeploymentLogDto } from './deployment-log.dto.js';
import type { DeploymentDto } from './deployment.dto.js';
import { PANEL } from './route-area.js';
import { ServiceRequests } from './service-requests.js';

@ApiTags('Services')
@Controller('api/v1/deployments')
export class DeploymentsController {
  constructor(
    private readonly requests: ServiceRequests,
    private readonly scope: CallerScope,
  ) {}

  @GetDeployment(PANEL)
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<DeploymentDto> {
    return this.requests.deployment(await this.scope.of(caller), id);
  }

  @GetDeploymentLog(PANEL)
  async log(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Record<string, unknown>,
  ): Promise<DeploymentLogDto> {
    return this.requests.log(await this.scope.of(caller), id, query);
  }

  @CancelDeployment(PANEL)
  async cancel(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<DeploymentDto> {
    return this.requests.cancel(await this.scope.of(caller), id);
  }
}
