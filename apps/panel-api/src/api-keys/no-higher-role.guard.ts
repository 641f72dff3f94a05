import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { InsufficientRole } from '#libs/panel-auth';
import { callerOf } from '../http/caller.decorator.js';

/** Refuses a role above the caller's before the body is validated, so that 403 comes before 422. */
@Injectable()
export class NoHigherRoleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = callerOf(request);
    const { role } = (request.body ?? {}) as { role?: unknown };
    if (role === 'admin' && caller && (caller.role !== 'admin' || caller.user.role !== 'admin'))
      throw new InsufficientRole();
    return true;
  }
}
