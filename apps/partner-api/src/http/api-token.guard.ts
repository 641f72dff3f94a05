import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Unauthenticated } from '#kernel/errors';
import { AuthFailureBrake, TOKEN_REFUSED } from './auth-failure-brake.js';
import { policyOf } from './policy-of.js';

/** First of the guards: who calls? A failure draws on the brake of its address, a success never does. */
@Injectable()
export class ApiTokenGuard extends AuthGuard('bearer') {
  constructor(
    private readonly reflector: Reflector,
    private readonly brake: AuthFailureBrake,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (policyOf(this.reflector, context).public) return true;
    try {
      return (await super.canActivate(context)) as boolean;
    } catch (error) {
      if (error instanceof Unauthenticated) {
        throw await this.brake.refusalOf(context.switchToHttp().getRequest<FastifyRequest>().ip);
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
