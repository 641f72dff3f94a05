import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '#libs/panel-auth';

/** The caller of the request; null on a public route or before authentication. */
export function callerOf(request: FastifyRequest): Caller | null {
  return (request as FastifyRequest & { user?: Caller }).user ?? null;
}

export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const caller = callerOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (!caller) throw new Error('a public route asks for its caller');
  return caller;
});
