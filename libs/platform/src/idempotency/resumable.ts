import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Uuid } from '#kernel/crypto/uuid';

const RESUMABLE = 'tenantry:resumable';

/**
 * Marks a POST whose work calls other services and so cannot be one transaction. Its Idempotency-Key is stored before
 * the work, and a repeat after a crash resumes it. The handler must have its effect once per `operationIdOf`.
 */
export const Resumable = () => SetMetadata(RESUMABLE, true);

export function isResumable(context: ExecutionContext): boolean {
  return Reflect.getMetadata(RESUMABLE, context.getHandler()) === true;
}

const operations = new WeakMap<FastifyRequest, Uuid>();

export function setOperationId(request: FastifyRequest, operationId: Uuid): void {
  operations.set(request, operationId);
}

/** The same for every repeat of the request with its Idempotency-Key; null without one. */
export function operationIdOf(request: FastifyRequest): Uuid | null {
  return operations.get(request) ?? null;
}
