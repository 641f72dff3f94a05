import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Invalid, NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/uuid';
import { actorOf, type Caller } from '#libs/panel-auth';
import { SERVICE_STATUSES, ServiceIntake, ServiceQueries, viewPlan, type ServiceStatus } from '#libs/services';
import { CurrentCaller } from '../http/caller.decorator.js';
import { listPage, PaginationDto } from '../http/list-page.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { PathId } from '../http/path-values.js';
import { CallerScope } from './caller-scope.js';
import { ComposeSourceDto, CreateServiceDto } from './create-service.dto.js';
import { DeploymentDto, DeploymentPageDto } from './deployment.dto.js';
import { AcceptedServiceDto, ServiceDto, ServicePageDto, STATUS, ValidatedComposeDto } from './service.dto.js';
import { ServiceIdParam } from './service-id.decorator.js';

const MOST_SEARCHED = 200;

@ApiTags('Services')
@Controller('api/v1/services')
export class ServicesController {
  constructor(
    private readonly intake: ServiceIntake,
    private readonly queries: ServiceQueries,
    private readonly scope: CallerScope,
  ) {}

  @Get()
  @PanelRoute({ reach: 'panel', permission: 'services:read', errors: [422] })
  @ApiOperation({
    operationId: 'listServices',
    summary: 'All services',
    description: 'Newest first. The infrastructure of the panel itself is not among them.',
  })
  @ApiQuery({ name: 'page', required: false, schema: { type: 'integer', default: 1 }, example: 1 })
  @ApiQuery({ name: 'pageSize', required: false, schema: { type: 'integer', default: 20 }, example: 20 })
  @ApiQuery({ name: 'status', required: false, ...STATUS })
  @ApiQuery({ name: 'search', required: false, schema: { type: 'string' }, description: 'Part of the name.' })
  @ApiOkResponse({ type: ServicePageDto, description: 'A page of services.' })
  async list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>): Promise<ServicePageDto> {
    const page = listPage(query['page'], query['pageSize']);
    const filter = { status: statusOf(query['status']), search: searchOf(query['search']) };
    const slice = { offset: (page.page - 1) * page.pageSize, limit: page.pageSize };
    const { services, total } = await this.queries.list(await this.scope.of(caller), filter, slice);
    return { data: services.map((view) => ServiceDto.of(view)), pagination: PaginationDto.of(page, total) };
  }

  @Post()
  @HttpCode(202)
  @PanelRoute({ reach: 'panel', permission: 'services:create', body: true, errors: [409, 503] })
  @ApiOperation({
    operationId: 'createService',
    summary: 'Deploy a compose file',
    description:
      'The file is checked as a whole: everything wrong with it is named in one 422. 202 says that the deployment is ' +
      "accepted, not that the application is ready; the service's deployments tell how it went.",
  })
  @ApiAcceptedResponse({ type: AcceptedServiceDto, description: 'The service is stored and its deployment scheduled.' })
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateServiceDto): Promise<AcceptedServiceDto> {
    const customerId = await this.scope.customerOf(caller, CreateServiceDto.customer(body));
    const { name, description = null, composeYaml } = body;
    const source = { composeYaml, variables: ComposeSourceDto.values(body) };
    const request = { ...source, name, description, customerId, resourceLimits: ComposeSourceDto.limits(body) };
    return this.intake.fromCompose(request, actorOf(caller));
  }

  @Post('validate')
  @HttpCode(200)
  @PanelRoute({ reach: 'panel', permission: 'services:create', body: true, errors: [503] })
  @ApiOperation({
    operationId: 'validateCompose',
    summary: 'Check a compose file',
    description: 'Runs the checks of `POST /services` and stores nothing.',
  })
  @ApiOkResponse({ type: ValidatedComposeDto, description: 'The file would be accepted.' })
  async validate(@Body() body: ComposeSourceDto): Promise<ValidatedComposeDto> {
    const source = { composeYaml: body.composeYaml, variables: ComposeSourceDto.values(body) };
    const plan = await this.intake.validate(source, ComposeSourceDto.limits(body));
    return { plan: viewPlan(plan) as Record<string, unknown>, warnings: plan.warnings };
  }

  @Get(':id')
  @PanelRoute({ reach: 'panel', permission: 'services:read' })
  @ApiOperation({ operationId: 'getService', summary: 'One service', description: 'The row as it stands now.' })
  @ServiceIdParam()
  @ApiOkResponse({ type: ServiceDto, description: 'The service.' })
  async get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<ServiceDto> {
    const view = await this.queries.get(await this.scope.of(caller), id);
    if (!view) throw new NotFound();
    return ServiceDto.of(view);
  }

  @Get(':id/deployments')
  @PanelRoute({ reach: 'panel', permission: 'deployments:read' })
  @ApiOperation({
    operationId: 'listDeployments',
    summary: 'What was done with a service',
    description: 'Newest first; every accepted action is one of them.',
  })
  @ServiceIdParam()
  @ApiQuery({ name: 'page', required: false, schema: { type: 'integer', default: 1 }, example: 1 })
  @ApiQuery({ name: 'pageSize', required: false, schema: { type: 'integer', default: 20 }, example: 20 })
  @ApiOkResponse({ type: DeploymentPageDto, description: 'A page of deployments.' })
  async deployments(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Query() query: Record<string, unknown>,
  ): Promise<DeploymentPageDto> {
    const { page, pageSize } = listPage(query['page'], query['pageSize']);
    const slice = { offset: (page - 1) * pageSize, limit: pageSize };
    const found = await this.queries.deployments(await this.scope.of(caller), id, slice);
    if (!found) throw new NotFound();
    return { data: found.map((deployment) => DeploymentDto.of(deployment)), pagination: { page, pageSize } };
  }
}

function statusOf(value: unknown): ServiceStatus | null {
  if (value === undefined) return null;
  const status = SERVICE_STATUSES.find((known) => known === value);
  if (!status) throw Invalid.field('status', `must be one of ${SERVICE_STATUSES.join(', ')}`);
  return status;
}

function searchOf(value: unknown): string | null {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string' || value.length > MOST_SEARCHED || value.includes('\0')) {
    throw Invalid.field('search', `must be a text of at most ${MOST_SEARCHED} characters`);
  }
  return value;
}
