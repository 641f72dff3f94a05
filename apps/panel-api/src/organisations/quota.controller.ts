import { applyDecorators, Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { actorOf, type Caller } from '#libs/panel-auth';
import { OrganisationQuotas } from '#libs/services';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from '../services/caller-scope.js';
import { OrganisationQuotaDto, QuotaLimitsDto, UsageDto } from './quota.dto.js';

const Answer = () =>
  applyDecorators(
    ApiParam({ name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' }),
    ApiOkResponse({ type: OrganisationQuotaDto, description: 'Limits and use.' }),
  );

@ApiTags('Organisations')
@Controller('api/v1/organisations')
export class QuotaController {
  constructor(
    private readonly quotas: OrganisationQuotas,
    private readonly scope: CallerScope,
  ) {}

  @Get(':id/quota')
  @PanelRoute({ reach: 'panel', permission: 'usage:read' })
  @ApiOperation({
    operationId: 'getOrganisationQuota',
    summary: 'Read the quota of an organisation',
    description: 'A limit covers the organisation and everything below it. Customers see theirs in the portal.',
  })
  @Answer()
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<OrganisationQuotaDto> {
    await this.assertInScope(caller, id);
    return this.quotaOf(id);
  }

  @Put(':id/quota')
  @PanelRoute({ reach: 'panel', permission: 'org.members:write', body: true })
  @ApiOperation({
    operationId: 'setOrganisationQuota',
    summary: 'Set the quota of an organisation',
    description:
      'A limit may be below current use: nothing is stopped, but nothing can be added or redeployed until ' +
      'there is room. Quotas apply to admins too; they can raise them.',
  })
  @Answer()
  async set(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: QuotaLimitsDto,
  ): Promise<OrganisationQuotaDto> {
    await this.assertInScope(caller, id);
    await this.quotas.change(id, QuotaLimitsDto.of(body), actorOf(caller));
    return this.quotaOf(id);
  }

  /** A bound key may see its own organisation and those below it. */
  private async assertInScope(caller: Caller, id: Uuid): Promise<void> {
    if (!(await this.scope.of(caller)).includes(id)) throw new NotFound();
  }

  private async quotaOf(organisationId: Uuid): Promise<OrganisationQuotaDto> {
    const own = QuotaLimitsDto.of(await this.quotas.own(organisationId));
    return { organisationId, own, ...UsageDto.of(await this.quotas.standing(organisationId)) };
  }
}
