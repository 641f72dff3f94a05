import { Body, Controller, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SecretText } from '#kernel/crypto/secret-text';
import { InvalidCredential, LegacyLogin, type OpenedSession } from '#libs/panel-auth';
import { PublicRoute } from '#platform/http/routing/route-policy';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { PanelCookies } from '../http/cookies.js';
import { PanelLimits } from '../http/panel-limits.js';
import { LoggedInDto, LoginDto } from './login.dto.js';
import { IdentityDto } from './user.dto.js';

/** 2026-01-01, the date on which the route was deprecated (RFC 9745). */
const DEPRECATED_SINCE = '@1767225600';
const SUNSET = 'Thu, 31 Dec 2026 23:59:59 GMT';

/** Registered only if LEGACY_LOGIN is on. */
@ApiTags('Sign-in')
@Controller('api/v1/auth')
export class LoginController {
  constructor(
    private readonly legacy: LegacyLogin,
    private readonly cookies: PanelCookies,
    private readonly limits: PanelLimits,
  ) {}

  @Post('login')
  @HttpCode(200)
  @PublicRoute()
  @Header('cache-control', 'no-store')
  @Header('deprecation', DEPRECATED_SINCE)
  @Header('sunset', SUNSET)
  @ApiErrors(400, 401, 403, 413, 415, 422, 429, 500)
  @ApiOperation({
    operationId: 'loginWithPassword',
    deprecated: true,
    summary: 'Sign in with a password or a token',
    description: 'Kept for older clients and off by default. Sets the same cookie as a sign-in through the provider.',
  })
  @ApiOkResponse({ type: LoggedInDto, description: 'Signed in.' })
  async login(
    @Body() body: LoginDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoggedInDto> {
    await this.limits.countLogin(request.ip, body.email ?? 'token');
    const opened = await this.open(body, request);
    this.cookies.giveSession(reply, opened);
    return { ...IdentityDto.of(opened.user), expiresAt: opened.session.expiresAt };
  }

  private async open({ email, password, token }: LoginDto, request: FastifyRequest): Promise<OpenedSession> {
    const userAgent = request.headers['user-agent'] ?? null;
    try {
      if (token !== undefined) return await this.legacy.withToken(new SecretText(token), userAgent);
      return await this.legacy.withPassword(email ?? '', new SecretText(password ?? ''), userAgent);
    } catch (error) {
      if (error instanceof InvalidCredential) await this.limits.countFailure(request.ip);
      throw error;
    }
  }
}
