import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Unauthenticated } from '#kernel/errors';
import { TokenAuthentication } from '#libs/tokens';
import { AuthFailureThrottle, TOKEN_REFUSED } from './auth-failure-throttle.js';
import { bearerTokenOf } from './bearer.strategy.js';
import { expectCaller } from './expected-caller.js';
import { policyOf } from './policy-of.js';

/** First of the guards: who calls? A failure draws on the brake of its address, a success never does. */
@Injectable()
export class ApiTokenGuard extends AuthGuard('bearer') {
  constructor(
    private readonly reflector: Reflector,
    private readonly brake: AuthFailureThrottle,
    private readonly tokens: TokenAuthentication,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const policy = policyOf(this.reflector, context);
    if (policy.public) return true;
    return (policy.readsAhead && this.expects(context)) || this.authenticate(context);
  }

  /** True when reading may begin for whom the token belonged to before; `confirmCallers` holds the answer back. */
  private expects(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    // The key is written down as the caller's before anything is read.
    if (request.headers['idempotency-key'] !== undefined) return false;
    const expected = this.tokens.expect(bearerTokenOf(request) ?? '');
    return expected !== null && expectCaller(request, expected);
  }

  private async authenticate(context: ExecutionContext): Promise<boolean> {
    try {
      return (await super.canActivate(context)) as boolean;
    } catch (error) {
      if (error instanceof Unauthenticated) {
        const http = context.switchToHttp();
        throw await this.brake.refusalOf(http.getRequest<FastifyRequest>().ip, http.getResponse<FastifyReply>());
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
