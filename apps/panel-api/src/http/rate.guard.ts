import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tellLimit } from '#platform/limits/limit-headers';
import { callerOf } from './caller.decorator.js';
import { PanelLimits } from './panel-limits.js';

/** Second of the guards: one bucket per key or session; per address for those who bring neither. */
@Injectable()
export class RateGuard implements CanActivate {
  constructor(private readonly limits: PanelLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = callerOf(request);
    if (!caller && (!request.url.startsWith('/api/') || isDelivery(request))) return true;
    const state = await (caller ? this.limits.countCaller(caller) : this.limits.countAnonymous(request.ip));
    tellLimit(context.switchToHttp().getResponse<FastifyReply>(), state);
    return true;
  }
}

/** Git hosts deliver for everybody from the same few addresses; a wrong signature counts as a wrong credential does. */
function isDelivery({ url }: FastifyRequest): boolean {
  return url.startsWith('/api/v1/hooks/git/');
}
