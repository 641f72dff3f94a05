import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Forbidden } from '#kernel/errors';
import { covers } from '#libs/tokens';
import { refuseDefectiveBody } from '#platform/http/fastify/json-body';
import { tokenHolderOf } from './caller.decorator.js';
import { policyOf } from './policy-of.js';

/** The last guard: checks the token's scope. Only after it is a malformed body reported. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const policy = policyOf(this.reflector, context);
    if (!policy.public) {
      const holder = tokenHolderOf(request);
      if (!holder || !covers(holder.scope, policy.scope)) {
        throw new Forbidden('write-scope-required', 'The token has the scope read; this call needs write.');
      }
    }
    refuseDefectiveBody(request);
    return true;
  }
}
