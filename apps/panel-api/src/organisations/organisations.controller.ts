import { applyDecorators, Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { PathId } from '../http/path-values.js';
import { PAGE } from '../services/service-routes.js';
import { MAX_SEARCHED } from '../services/service-requests.js';
import {
  CreateOrganisationDto,
  OrganisationDetailDto,
  OrganisationDto,
  OrganisationPageDto,
} from './organisation.dto.js';
import { OrganisationRequests } from './organisation-requests.js';

@ApiTags('Organisations')
@Controller('api/v1/organisations')
export class OrganisationsController {
  constructor(private readonly requests: OrganisationRequests) {}

  @Get()
  @PanelRoute({ reach: 'panel', permission: 'org.members:read', errors: [422] })
  @ApiOperation({
    operationId: 'listOrganisations',
    summary: 'List organisations',
    description: 'Sorted by name. The `customerId` of a service is the id of an organisation.',
  })
  @applyDecorators(...PAGE)
  @ApiQuery({
    name: 'search',
    required: false,
    schema: { type: 'string', maxLength: MAX_SEARCHED },
    description: 'Part of the name.',
  })
  @ApiQuery({
    name: 'ids',
    required: false,
    schema: { type: 'string', maxLength: 15_000 },
    description: 'Only these organisations: UUIDs separated by commas.',
    example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11',
  })
  @ApiOkResponse({ type: OrganisationPageDto, description: 'A page of organisations.' })
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>): Promise<OrganisationPageDto> {
    return this.requests.list(caller, query);
  }

  @Post()
  @HttpCode(201)
  @PanelRoute({ reach: 'panel', permission: 'org.members:write', body: true })
  @ApiOperation({
    operationId: 'createOrganisation',
    summary: 'Create an organisation',
    description: 'It has no members yet. A parent that does not exist is 404.',
  })
  @ApiCreatedResponse({ type: OrganisationDto, description: 'The organisation.' })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateOrganisationDto): Promise<OrganisationDto> {
    return this.requests.create(caller, body);
  }

  @Get(':id')
  @PanelRoute({ reach: 'panel', permission: 'usage:read' })
  @ApiOperation({
    operationId: 'getOrganisation',
    summary: 'Read an organisation',
    description: 'Includes its quota and current use.',
  })
  @ApiParam({ name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' })
  @ApiOkResponse({ type: OrganisationDetailDto, description: 'The organisation.' })
  get(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<OrganisationDetailDto> {
    return this.requests.get(caller, id);
  }
}
