import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Uuid } from '#kernel/uuid';
import type { Caller } from '#libs/panel-auth';
import { ServiceControl } from '#libs/services';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from './caller-scope.js';
import { DeploymentDto } from './deployment.dto.js';

@ApiTags('Services')
@Controller('api/v1/deployments')
export class DeploymentsController {
  constructor(
    private readonly control: ServiceControl,
    private readonly scope: CallerScope,
  ) {}

  @Post(':id/cancel')
  @HttpCode(202)
  @PanelRoute({ reach: 'panel', permission: 'deployments:cancel', errors: [409] })
  @ApiOperation({
    operationId: 'cancelDeployment',
    summary: 'Give a deployment up',
    description:
      'One that waits is cancelled at once. One that runs ends at its next step; if containers were replaced already, ' +
      'those of before come back, and a start or restart goes back to what was. What stops or deletes a service cannot be cancelled.',
  })
  @ApiParam({ name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' })
  @ApiAcceptedResponse({ type: DeploymentDto, description: 'The deployment as it stands now.' })
  async cancel(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<DeploymentDto> {
    return DeploymentDto.of(await this.control.cancel(await this.scope.of(caller), id));
  }
}
