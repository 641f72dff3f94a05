import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Unauthenticated } from '#kernel/errors';
import { AuthFailureThrottle, TOKEN_REFUSED } from './auth-failure-throttle.js';
import { policyOf } from './policy-of.js';

/** The first guard: authenticates the caller. A failure counts against its address, a success never does. */
@Injectable()
export class ApiTokenGuard extends AuthGuard('bearer') {
  constructor(
    private readonly reflector: Reflector,
    private readonly failures: AuthFailureThrottle,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const policy = policyOf(this.reflector, context);
    if (policy.public) return true;
    return this.authenticate(context);
  }

  private async authenticate(context: ExecutionContext): Promise<boolean> {
    try {
      return (await super.canActivate(context)) as boolean;
    } catch (error) {
      if (error instanceof Unauthenticated) {
        const http = context.switchToHttp();
        throw await this.failures.refusalOf(http.getRequest<FastifyRequest>().ip, http.getResponse<FastifyReply>());
      }
      throw error;
    }
  }

  override handleRequest<T>(error: unknown, holder: T | false): T {
    if (error) throw error as Error;
    if (!holder) throw TOKEN_REFUSED;
    return holder;
  }
}
