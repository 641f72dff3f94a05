import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '#platform/http/routing/route-policy';
import { ApiErrors } from '../http/api-errors.decorator.js';

/** The release of the panel contract that this code implements. */
export const PANEL_RELEASE = '2.12.8';

class VersionDto {
  @ApiProperty({ description: 'Release line of the panel API.', example: PANEL_RELEASE })
  version: string;
}

@ApiTags('Contract')
@Controller('api/v1/version')
export class VersionController {
  @Get()
  @PublicRoute()
  @ApiOperation({
    operationId: 'getVersion',
    summary: 'Read the version of this API',
    description: 'No credentials are needed.',
  })
  @ApiOkResponse({ type: VersionDto, description: 'The release line.' })
  @ApiErrors(429)
  get(): VersionDto {
    return { version: PANEL_RELEASE };
  }
}
