import { Controller, Get, HttpCode } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '../http/routing/route-policy.js';
import { Readiness } from './readiness.js';

class HealthDto {
  @ApiProperty({ example: 'ok', enum: ['ok'], description: 'Always `ok`; anything else is an error answer.' })
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
    summary: 'Is the process alive?',
    description: 'Asks nothing but the process itself. Needs no token.',
  })
  @ApiOkResponse({ type: HealthDto, description: 'The process answers.' })
  alive(): HealthDto {
    return { status: 'ok' };
  }

  @PublicRoute()
  @Get('readyz')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Can the process serve requests?',
    description: 'Really asks the database and the job queue; 503 while one of them does not answer. Needs no token.',
  })
  @ApiOkResponse({ type: HealthDto, description: 'Database and queue answer.' })
  async ready(): Promise<HealthDto> {
    await this.readiness.check();
    return { status: 'ok' };
  }
}
