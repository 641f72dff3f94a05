import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '#libs/licensing';
import { PartnerSubtree } from '#libs/partners';
import { operationIdOf } from '#platform/idempotency/resumable';
import { tokenHolderOf } from './caller.decorator.js';

/** The caller as recorded in the ledger: the partner of its token. */
export const CurrentActor = createParamDecorator((_data: unknown, context: ExecutionContext): Actor => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const holder = tokenHolderOf(request);
  if (!holder) throw new Error('a route without authentication asks for its actor');
  return {
    subtree: PartnerSubtree.of(holder.partnerId),
    name: holder.partnerId,
    operationId: operationIdOf(request),
  };
});
