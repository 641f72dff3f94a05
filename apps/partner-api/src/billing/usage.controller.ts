import { Controller, Get, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { StatementQueries } from '#libs/billing';
import { CurrentCaller, type Caller } from '../http/caller.decorator.js';
import { PartnerRoute } from '../http/partner-route.decorator.js';
import { jsonStream } from './json-stream.js';
import { UsageDto } from './usage.dto.js';

@ApiTags('Billing')
@Controller('v1/usage')
export class UsageController {
  constructor(private readonly statements: StatementQueries) {}

  @Get()
  @PartnerRoute({ scope: 'read', tenancy: 'own' })
  @ApiOperation({
    operationId: 'getUsage',
    summary: 'Read the usage of the current month',
    description:
      'Your own account only. Computed daily; metered and flat days are counted through the UTC date of ' +
      '`computedAt`. Before the first computation of a month, totals and lines are empty and `computedAt` ' +
      'is null.',
  })
  @ApiOkResponse({ type: UsageDto, description: 'The usage of the month so far.' })
  async get(@CurrentCaller() caller: Caller): Promise<StreamableFile> {
    return jsonStream(await this.statements.currentUsage(caller.account));
  }
}
