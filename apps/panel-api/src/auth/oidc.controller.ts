import { Controller, Get, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiDefaultResponse, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IdentityProvider, PanelAuthSettings, Sessions, SignIn } from '#libs/panel-auth';
import { PublicRoute } from '#platform/http/routing/route-policy';
import { HttpRefusal } from '#platform/problem';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { PanelCookies } from '../http/cookies.js';
import { ErrorDto } from '../http/panel-error-body.js';
import { AuthUrls } from './auth-urls.js';
import { LogoutDto, OidcConfigDto } from './oidc.dto.js';

/** Routes that only redirect: every other response is an error. */
const ANY_ERROR = { type: ErrorDto, description: 'An error.' };

@ApiTags('Sign-in')
@Controller('api/v1/auth')
export class OidcController {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly cookies: PanelCookies,
    @Inject(AuthUrls) private readonly urls: AuthUrls,
    @Inject(PanelAuthSettings) private readonly settings: PanelAuthSettings,
  ) {}

  @Get('oidc-config')
  @PublicRoute()
  @ApiErrors(429, 500)
  @ApiOperation({
    operationId: 'getOidcConfig',
    summary: 'Read the sign-in configuration',
    description: 'For the frontend. Fields are null if no identity provider is configured. No credentials are needed.',
  })
  @ApiOkResponse({ type: OidcConfigDto, description: 'The configuration, without any secret.' })
  config(): OidcConfigDto {
    const provider = this.provider.describe();
    const legacyLoginEnabled = this.settings.legacyLogin;
    const off = { issuer: null, clientId: null, scopes: null, loginUrl: null, logoutUrl: null, callbackUrl: null };
    if (!provider) return { enabled: false, ...off, legacyLoginEnabled };
    const { login: loginUrl, logout: logoutUrl, callback: callbackUrl } = this.urls;
    const scopes = [...provider.scopes];
    return { enabled: true, ...provider, scopes, loginUrl, logoutUrl, callbackUrl, legacyLoginEnabled };
  }

  @Get('oidc/login')
  @PublicRoute()
  @ApiErrors(429, 500, 503)
  @ApiOperation({
    operationId: 'startSignIn',
    summary: 'Sign in with the identity provider',
    description:
      'Starts the authorization code flow with PKCE and redirects the browser. The target page cannot be chosen.',
  })
  @ApiDefaultResponse(ANY_ERROR)
  @ApiResponse({
    status: 302,
    description: 'Redirects to the identity provider; a cookie keeps the sign-in for 10 minutes.',
  })
  async login(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const begun = await this.signIn.begin();
    this.cookies.giveSignIn(request, reply, begun);
    redirect(reply, begun.redirectTo.href);
  }

  @Get('oidc/callback')
  @PublicRoute()
  @ApiErrors(400, 401, 429, 500, 503)
  @ApiOperation({
    operationId: 'finishSignIn',
    summary: 'Complete a sign-in',
    description:
      'Not for direct use. Redeems the code, creates a session, sets the cookie `oidc_session` and ' +
      'redirects to the configured page of the frontend. A callback works once, and only in the browser ' +
      'that started the sign-in.',
  })
  @ApiDefaultResponse(ANY_ERROR)
  @ApiResponse({ status: 302, description: 'Redirects to the frontend, signed in.' })
  async callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { url, state } = this.returnedTo(request);
    const cookie = state === null ? null : this.cookies.signIn(request, state);
    if (this.provider.describe() && (state === null || cookie === null)) {
      throw new HttpRefusal(400, 'This sign-in was not started in this browser. Start again.');
    }
    if (state !== null) this.cookies.clearSignIn(reply, state);
    const opened = await this.signIn.finish({ url, cookie, userAgent: request.headers['user-agent'] ?? null });
    this.cookies.giveSession(reply, opened);
    redirect(reply, this.urls.afterSignIn);
  }

  @Post('oidc/logout')
  @HttpCode(200)
  @PublicRoute()
  @Header('cache-control', 'no-store')
  @ApiErrors(403, 429, 500)
  @ApiOperation({
    operationId: 'signOut',
    summary: 'Sign out',
    description:
      'Deletes the session of the cookie, clears the cookie and returns the address at which the browser ' +
      "completes the logout with the identity provider. The user's other sessions remain open. Also " +
      'succeeds if the session has already ended.',
  })
  @ApiOkResponse({ type: LogoutDto, description: 'Signed out of the panel; follow `redirect_url`.' })
  async logout(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<LogoutDto> {
    const presented = this.cookies.session(request);
    const idToken = presented && (await this.sessions.signOut(presented.cookie, presented.binding));
    this.cookies.clearSession(reply);
    const atProvider = await this.provider.endSessionUrl(idToken);
    return { redirect_url: atProvider?.href ?? this.urls.afterLogout };
  }

  /** The registered callback URL with the query of this request. The Host header of the request is not trusted. */
  private returnedTo(request: FastifyRequest): { url: URL; state: string | null } {
    const url = new URL(this.urls.callback ?? this.urls.login);
    url.search = request.raw.url?.split('?').slice(1).join('?') ?? '';
    const states = url.searchParams.getAll('state');
    return { url, state: states.length === 1 && states[0] !== '' ? states[0]! : null };
  }
}

function redirect(reply: FastifyReply, target: string): void {
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(target, 302);
}
