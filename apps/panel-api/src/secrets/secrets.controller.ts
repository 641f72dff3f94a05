import { Body, Controller, Delete, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { SecretText } from '#kernel/crypto/secret-text';
import { OrganisationSecrets, type Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { PathName } from '../http/path-values.js';
import { SecretDto, SecretListDto, WriteSecretDto } from './secret.dto.js';

@ApiTags('Secrets')
@Controller('api/v1/secrets')
export class SecretsController {
  constructor(private readonly secrets: OrganisationSecrets) {}

  @Get()
  @PanelRoute({ reach: 'home', permission: 'secrets:read' })
  @ApiOperation({
    operationId: 'listSecrets',
    summary: 'List the names of your secrets',
    description:
      "Secrets of the user's own organisation, even for a key that is bound to another one. Values are never returned.",
  })
  @ApiOkResponse({ type: SecretListDto, description: 'The names.' })
  async list(@CurrentCaller() caller: Caller): Promise<SecretListDto> {
    return { secrets: (await this.secrets.list(caller)).map((record) => SecretDto.of(record)) };
  }

  @Post()
  @HttpCode(201)
  @PanelRoute({ reach: 'home', permission: 'secrets:write', body: true, errors: [409] })
  @ApiOperation({
    operationId: 'writeSecret',
    summary: 'Write a secret',
    description: 'Creates a secret (201) or overwrites one (200). Deployments use the value from then on.',
  })
  @ApiCreatedResponse({ type: SecretDto, description: 'The secret was created.' })
  @ApiOkResponse({ type: SecretDto, description: 'The secret was overwritten.' })
  async write(
    @CurrentCaller() caller: Caller,
    @Body() { name, value }: WriteSecretDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SecretDto> {
    const written = await this.secrets.write(caller, name, new SecretText(value));
    if (!written.isNew) reply.code(200);
    return SecretDto.of(written);
  }

  @Delete(':name')
  @HttpCode(204)
  @PanelRoute({ reach: 'home', permission: 'secrets:write' })
  @ApiOperation({
    operationId: 'deleteSecret',
    summary: 'Delete a secret',
    description: 'Deployments that use the secret fail from then on.',
  })
  @ApiParam({ name: 'name', example: 'SMTP_PASSWORD' })
  @ApiNoContentResponse({ description: 'The secret was deleted.' })
  async delete(@CurrentCaller() caller: Caller, @Param('name', PathName) name: string): Promise<void> {
    await this.secrets.delete(caller, name);
  }
}
