import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Invalid } from '#kernel/errors';
import { addViolations } from '#platform/http/errors/extra-violations';
import { policyOf } from '../http/policy-of.js';

/**
 * Refuses `customerId` in every body of the portal, even on routes without a body. Ignoring it silently would let a
 * caller believe that the service belongs to another organisation.
 */
@Injectable()
export class NoCustomerGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (typeof body !== 'object' || body === null) return true;
    const name = ['customerId', 'customer_id'].find((key) => Object.hasOwn(body, key));
    if (name === undefined) return true;
    const refusal = Invalid.field(name, 'is not allowed: the portal covers only your own organisation');
    const policy = policyOf(this.reflector, context);
    if (policy.public || !policy.readsBody) throw refusal;
    addViolations(body, refusal);
    return true;
  }
}
