import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Caller } from '#libs/panel-auth';
import { OrganisationQuotas } from '#libs/services';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { CallerScope } from '../services/caller-scope.js';
import { PortalController } from './portal-controller.decorator.js';
import { UsageDto } from '../organisations/quota.dto.js';

@PortalController('usage')
export class PortalUsageController {
  constructor(
    private readonly quotas: OrganisationQuotas,
    private readonly scope: CallerScope,
  ) {}

  @Get()
  @PanelRoute({ reach: 'home', permission: 'usage:read' })
  @ApiOperation({
    operationId: 'portalGetUsage',
    summary: 'Read the quota of your organisation',
    description:
      'All services of the organisation and those below it count with their `resourceLimits`, including ' +
      'stopped and suspended ones, until they are removed. `limits` is the lowest limit of the organisation ' +
      'and those above it. Use by others below the same limit is not shown.',
  })
  @ApiOkResponse({ type: UsageDto, description: 'Limits and use.' })
  async usage(@CurrentCaller() caller: Caller): Promise<UsageDto> {
    return UsageDto.of(await this.quotas.standing(this.scope.home(caller)));
  }
}
