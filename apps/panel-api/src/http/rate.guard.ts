import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setLimitHeaders } from '#platform/limits/limit-headers';
import { callerOf } from './caller.decorator.js';
import { PanelLimits } from './panel-limits.js';

/** The WebSocket counts its own requests, once it knows whether the caller is signed in. */
const COUNTED_HERE = /^\/api\/(?!v1\/ws(?:$|\?))/;

/** The second guard: one limit per key or session, or per address for anonymous requests. */
@Injectable()
export class RateGuard implements CanActivate {
  constructor(private readonly limits: PanelLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = callerOf(request);
    if (!caller && (!COUNTED_HERE.test(request.url) || isDelivery(request))) return true;
    const state = await (caller ? this.limits.countCaller(caller) : this.limits.countAnonymous(request.ip));
    setLimitHeaders(context.switchToHttp().getResponse<FastifyReply>(), state);
    return true;
  }
}

/**
 * Git hosts deliver for all customers from the same few addresses, so deliveries are not limited. Wrong signatures are.
 */
function isDelivery({ url }: FastifyRequest): boolean {
  return url.startsWith('/api/v1/hooks/git/');
}
