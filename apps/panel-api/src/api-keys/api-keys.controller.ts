import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { ApiKeys, type Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { PathId } from '../http/path-values.js';
import { ApiKeyDto, ApiKeyListDto, ApiKeyMetadataDto, CreatedApiKeyDto } from './api-key.dto.js';
import { CreateApiKeyDto } from './create-api-key.dto.js';
import { NoHigherRoleGuard } from './no-higher-role.guard.js';

@ApiTags('API keys')
@Controller('api/v1/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeys) {}

  @Post()
  @UseGuards(NoHigherRoleGuard)
  @HttpCode(201)
  @Header('cache-control', 'no-store')
  @PanelRoute({ reach: 'binding', permission: 'api_keys:create', body: true, errors: [409] })
  @ApiOperation({
    operationId: 'createApiKey',
    summary: 'Create a key',
    description:
      'The key is shown in this response only. A customer must hold every permission of the requested role ' +
      "in its organisation, and its keys are bound to that organisation; an admin's keys work " +
      'platform-wide. A key cannot create a key that may do more, or live longer, than itself.',
  })
  @ApiCreatedResponse({ type: CreatedApiKeyDto, description: 'The new key.' })
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    const { key, clear } = await this.keys.create(caller, CreateApiKeyDto.toRequest(body));
    return { key: clear.reveal(), metadata: ApiKeyMetadataDto.of(key, caller.user.role) };
  }

  @Get()
  @PanelRoute({ reach: 'binding', permission: 'api_keys:read' })
  @ApiOperation({
    operationId: 'listApiKeys',
    summary: 'List your keys',
    description:
      'Your keys, newest first. Revoked and expired keys come last. A key that is bound to an organisation ' +
      'sees only keys bound to the same one.',
  })
  @ApiOkResponse({ type: ApiKeyListDto, description: 'The keys, without their secrets.' })
  async list(@CurrentCaller() caller: Caller): Promise<ApiKeyListDto> {
    return { keys: (await this.keys.list(caller)).map((key) => ApiKeyDto.of(key)) };
  }

  @Get('current')
  @PanelRoute({ reach: 'self', errors: [404] })
  @ApiOperation({
    operationId: 'getCurrentApiKey',
    summary: 'Read the calling key',
    description: 'Requests authenticated by a session get 404.',
  })
  @ApiOkResponse({ type: ApiKeyDto, description: 'The calling key.' })
  current(@CurrentCaller() { credential }: Caller): ApiKeyDto {
    if (credential.kind !== 'api-key') throw new NotFound();
    return ApiKeyDto.of(credential.key);
  }

  @Delete(':id')
  @HttpCode(204)
  @PanelRoute({ reach: 'binding', permission: 'api_keys:delete', errors: [404] })
  @ApiOperation({
    operationId: 'revokeApiKey',
    summary: 'Revoke a key',
    description:
      'Takes effect immediately and permanently; open connections close within a second. A key may revoke ' +
      'itself; revoking again also returns 204.',
  })
  @ApiParam({ name: 'id', format: 'uuid', example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52' })
  @ApiNoContentResponse({ description: 'The key is revoked.' })
  async revoke(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<void> {
    await this.keys.revoke(caller, id);
  }
}
