import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { stringify as stableStringify } from 'safe-stable-stringify';
import { Invalid } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import type { ErrorBody } from '../http/errors/error-body.js';
import { problemOf, reasonHeader } from '../problem.js';
import type { IdempotencyStore } from './idempotency-store.js';
import type { IdempotentAnswer, IdempotentRequest } from './idempotent-request.js';
import { isResumable, setOperationId } from './resumable.js';
import type { ResumableAnswers } from './resumable-answers.js';

/** Thrown to send a stored response; the API's filter sends it unchanged. */
export class ReplayedResponse extends Error {
  constructor(readonly answer: IdempotentAnswer) {
    super('a stored response to a repeated request');
  }
}

export interface IdempotencyOptions {
  /** The owner of the key; null if the route has no caller, and then the header is ignored. */
  readonly callerIdOf: (request: FastifyRequest) => string | null;
  readonly errorBody: ErrorBody;
}

/** Responses that do not depend on the request itself, so a retry may have another outcome. */
const NEVER_KEPT = (status: number) => status === 401 || status === 429 || status >= 500;

/** Makes a POST with an `Idempotency-Key` of 1 to 255 characters happen once per caller and key. */
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly resumable: ResumableAnswers,
    private readonly options: IdempotencyOptions,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const key = request.headers['idempotency-key'];
    const callerId = this.options.callerIdOf(request);
    if (request.method !== 'POST' || key === undefined || callerId === null) return next.handle();
    if (typeof key !== 'string' || key.length < 1 || key.length > 255) {
      throw Invalid.field('Idempotency-Key', 'must have 1 to 255 characters');
    }
    // The order of members does not matter, because not every language keeps it. The query is left out, because no POST
    // uses it.
    const path = request.url.split('?', 1)[0];
    const fingerprint = `${request.method} ${path}\n${stableStringify(request.body ?? null)}`;
    return from(this.handleOnce({ callerId, key, fingerprint }, context, next));
  }

  private async handleOnce(
    identity: IdempotentRequest,
    context: ExecutionContext,
    next: CallHandler,
  ): Promise<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    let value: unknown;
    let failure: { error: unknown } | null = null;
    const work = async () => {
      value = await lastValueFrom(next.handle(), { defaultValue: undefined });
      return { status: reply.statusCode, body: value === undefined ? null : JSON.stringify(value), headers: {} };
    };
    const refusal = (error: unknown) => {
      failure = { error };
      return this.refusal(error, request.id);
    };
    const resumed = (operationId: Uuid) => {
      setOperationId(request, operationId);
      return work();
    };
    const { answer, replayed } = isResumable(context)
      ? await this.resumable.once(identity, resumed, refusal)
      : await this.store.once(identity, work, refusal);
    if (replayed) throw new ReplayedResponse(answer);
    if (failure) throw (failure as { error: unknown }).error;
    return value;
  }

  private refusal(error: unknown, requestId: string): IdempotentAnswer {
    const problem = problemOf(error);
    if (NEVER_KEPT(problem.status)) throw error;
    const body = JSON.stringify(this.options.errorBody(problem, requestId));
    return { status: problem.status, body, headers: { ...problem.headers, ...reasonHeader(problem) } };
  }
}

export function sendReplayedResponse(reply: FastifyReply, { status, body, headers }: IdempotentAnswer): void {
  reply.code(status).headers(headers).header('idempotent-replayed', 'true');
  if (body === null) reply.send();
  else
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .serializer((text) => String(text))
      .send(body);
}
