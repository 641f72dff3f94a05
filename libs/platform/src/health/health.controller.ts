import { Controller, Get, HttpCode } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '../http/routing/route-policy.js';
import { Readiness } from './readiness.js';

class HealthDto {
  @ApiProperty({ example: 'ok', enum: ['ok'], description: 'Always `ok`; otherwise the response is an error.' })
  status: 'ok';
}

@ApiTags('Operations')
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @PublicRoute()
  @Get('healthz')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'getHealth',
    summary: 'Check that the process is alive',
    description: 'Checks only the process itself. No token is needed.',
  })
  @ApiOkResponse({ type: HealthDto, description: 'The process is alive.' })
  alive(): HealthDto {
    return { status: 'ok' };
  }

  @PublicRoute()
  @Get('readyz')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Check that the process can serve requests',
    description: 'Queries the database and the job queue; 503 while one of them does not respond. No token is needed.',
  })
  @ApiOkResponse({ type: HealthDto, description: 'Database and queue respond.' })
  async ready(): Promise<HealthDto> {
    await this.readiness.check();
    return { status: 'ok' };
  }
}
