import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { InvalidCredential } from '#libs/panel-auth';
import { setLimitHeaders } from '#platform/limits/limit-headers';
import { PanelCookies } from './cookies.js';
import { PanelKeyGuard, PanelSessionGuard } from './credential.strategies.js';
import { PanelLimits } from './panel-limits.js';
import { policyOf } from './policy-of.js';

/**
 * The first guard: authenticates the caller. If there is an Authorization header, cookies are ignored. Only failed
 * attempts count against the address.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: PanelKeyGuard,
    private readonly sessions: PanelSessionGuard,
    private readonly cookies: PanelCookies,
    private readonly limits: PanelLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const policy = policyOf(this.reflector, context);
    if (policy.public) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    // Responses depend on the caller, so proxies must not cache them, nor browsers after a logout.
    context.switchToHttp().getResponse<FastifyReply>().header('cache-control', 'no-store');
    const hasHeader = request.headers.authorization !== undefined;
    try {
      if (policy.keysOnly && !hasHeader) throw new InvalidCredential();
      return (await (hasHeader ? this.keys : this.sessions).canActivate(context)) as boolean;
    } catch (error) {
      if (error instanceof InvalidCredential) {
        const isGuess = hasHeader || this.cookies.hasSession(request);
        const counted = isGuess ? this.limits.countFailure(request.ip) : this.limits.countAnonymous(request.ip);
        setLimitHeaders(context.switchToHttp().getResponse<FastifyReply>(), await counted);
      }
      throw error;
    }
  }
}
