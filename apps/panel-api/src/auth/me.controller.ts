import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { Sessions, type Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';
import { PathId } from '../http/path-values.js';
import { IdentityDto, SessionDto, SessionListDto } from './user.dto.js';

@ApiTags('Identity')
@Controller('api/v1/auth')
export class MeController {
  constructor(private readonly sessions: Sessions) {}

  @Get('me')
  @PanelRoute({ reach: 'self' })
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Read the calling user',
    description: 'The user behind the session or the key.',
  })
  @ApiOkResponse({ type: IdentityDto, description: 'The calling user.' })
  me(@CurrentCaller() { user }: Caller): IdentityDto {
    return IdentityDto.of(user);
  }

  @Get('sessions')
  @PanelRoute({ reach: 'self', errors: [404] })
  @ApiOperation({
    operationId: 'listSessions',
    summary: 'List your sessions',
    description: 'Your sessions that have not expired, newest first. For browsers only: an API key gets 404.',
  })
  @ApiOkResponse({ type: SessionListDto, description: 'The open sessions.' })
  async list(@CurrentCaller() caller: Caller): Promise<SessionListDto> {
    const currentId = sessionOf(caller);
    const sessions = await this.sessions.list(caller);
    return { sessions: sessions.map((session) => SessionDto.of(session, currentId)) };
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @PanelRoute({ reach: 'self', errors: [404] })
  @ApiOperation({
    operationId: 'endSession',
    summary: 'End a session',
    description: 'Takes effect immediately, and within a second for open connections. API keys cannot end sessions.',
  })
  @ApiParam({ name: 'id', format: 'uuid', example: '0b0c6e0e-0f5a-4d5b-8f0a-6d8f6c1f9a52' })
  @ApiNoContentResponse({ description: 'The session has ended.' })
  async end(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<void> {
    sessionOf(caller);
    await this.sessions.end(caller, id);
  }
}

/** Keys are handed to other people and programs: they must not see their creator's sessions, or end them. */
function sessionOf({ credential }: Caller): Uuid {
  if (credential.kind !== 'session') throw new NotFound();
  return credential.sessionId;
}
