import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Invalid } from '#kernel/errors';

/** Refuses a body on routes that take none: the client expects an effect that it would not have. */
@Injectable()
export class NoBodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0))
      return true;
    const message = 'body must be empty: to change the service, use PATCH';
    throw Invalid.at([], message, 'validation');
  }
}
