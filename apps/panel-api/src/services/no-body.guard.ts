import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Invalid } from '#kernel/errors';

/** The route takes no body: whoever sends one expects something of it that does not happen. */
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
