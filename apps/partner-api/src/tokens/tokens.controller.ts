import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { Tokens } from '#libs/tokens';
import type { Uuid } from '#kernel/crypto/uuid';
import { CurrentCaller, type Caller } from '../http/caller.decorator.js';
import { AcceptsIdempotencyKey, PartnerRoute } from '../http/partner-route.decorator.js';
import { PathId } from '../http/path-id.pipe.js';
import { CreatedTokenDto, CreateTokenDto, TokenDto } from './token.dto.js';

@ApiTags('Tokens')
@Controller('v1/tokens')
export class TokensController {
  constructor(private readonly tokens: Tokens) {}

  @Get()
  @PartnerRoute({ scope: 'read', tenancy: 'own' })
  @ApiOperation({
    operationId: 'listTokens',
    summary: 'List the tokens of your account',
    description: 'Active and revoked tokens, newest first, without their secrets. Not paged.',
  })
  @ApiOkResponse({ type: [TokenDto], description: 'All tokens of the account.' })
  async list(@CurrentCaller() caller: Caller): Promise<TokenDto[]> {
    return (await this.tokens.list(caller.account)).map((record) => TokenDto.from(record));
  }

  @Post()
  @PartnerRoute({ scope: 'write', tenancy: 'own', body: true })
  @AcceptsIdempotencyKey()
  @ApiOperation({
    operationId: 'createToken',
    summary: 'Create a token for your account',
    description: 'The secret `token` is shown in this response only.',
  })
  @ApiCreatedResponse({ type: CreatedTokenDto, description: 'The new token with its secret.' })
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateTokenDto): Promise<CreatedTokenDto> {
    return CreatedTokenDto.fromCreated(await this.tokens.create(caller.account, body, caller.tokenId));
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @PartnerRoute({ scope: 'write', tenancy: 'own', errors: [404] })
  @ApiOperation({
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description:
      'Takes effect immediately and permanently: no request that starts after this response is accepted ' +
      'with the token. A token may revoke itself. Revoking again also returns 204.',
  })
  @ApiParam({ name: 'tokenId', format: 'uuid', example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52' })
  @ApiNoContentResponse({ description: 'The token is revoked.' })
  async revoke(@CurrentCaller() caller: Caller, @Param('tokenId', PathId) tokenId: Uuid): Promise<void> {
    await this.tokens.revoke(caller.account, tokenId);
  }
}
