import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Invalid } from '#kernel/errors';

/**
 * No body in the portal names a customer, whatever the value and whether or not the route reads its body: who names one
 * is told that it makes no difference, instead of finding something where it was not expected.
 */
@Injectable()
export class NoCustomerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'customerId')) return true;
    throw Invalid.field('customerId', 'must not be given: the portal is about your own organisation');
  }
}
