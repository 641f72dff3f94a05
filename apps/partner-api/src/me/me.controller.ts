import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, type Caller } from '../http/caller.decorator.js';
import { PartnerRoute } from '../http/partner-route.decorator.js';
import { MeDto } from './me.dto.js';

@ApiTags('Identity')
@Controller('v1/me')
export class MeController {
  @Get()
  @PartnerRoute({ scope: 'read', tenancy: 'own' })
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Read the calling partner',
    description: 'The partner that the token belongs to, and what the token may do.',
  })
  @ApiOkResponse({ type: MeDto, description: 'The calling partner.' })
  get(@CurrentCaller() caller: Caller): MeDto {
    return { partnerId: caller.partnerId, name: caller.partnerName, type: caller.partnerType, scope: caller.scope };
  }
}
