import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tellLimit } from '#platform/limits/limit-headers';
import { callerOf } from './caller.decorator.js';
import { PanelLimits } from './panel-limits.js';

/** The WebSocket counts by itself, once it knows whether somebody has signed in. */
const COUNTED_HERE = /^\/api\/(?!v1\/ws(?:$|\?))/;

/** Second of the guards: one bucket per key or session; per address for those who bring neither. */
@Injectable()
export class RateGuard implements CanActivate {
  constructor(private readonly limits: PanelLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = callerOf(request);
    if (!caller && (!COUNTED_HERE.test(request.url) || isDelivery(request))) return true;
    const state = await (caller ? this.limits.countCaller(caller) : this.limits.countAnonymous(request.ip));
    tellLimit(context.switchToHttp().getResponse<FastifyReply>(), state);
    return true;
  }
}

/** Git hosts deliver for everybody from the same few addresses; a wrong signature counts as a wrong credential does. */
function isDelivery({ url }: FastifyRequest): boolean {
  return url.startsWith('/api/v1/hooks/git/');
}
