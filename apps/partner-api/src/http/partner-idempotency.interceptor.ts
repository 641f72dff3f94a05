import { Injectable } from '@nestjs/common';
import { IdempotencyInterceptor } from '#platform/idempotency/idempotency.interceptor';
import { IdempotencyStore } from '#platform/idempotency/idempotency-store';
import { ResumableAnswers } from '#platform/idempotency/resumable-answers';
import { tokenHolderOf } from './caller.decorator.js';
import { partnerErrorBody } from './partner-error-body.js';

/** Keys belong to tokens: the same key with another token is a different key. */
@Injectable()
export class PartnerIdempotency extends IdempotencyInterceptor {
  constructor(store: IdempotencyStore, resumable: ResumableAnswers) {
    super(store, resumable, {
      callerIdOf: (request) => tokenHolderOf(request)?.tokenId ?? null,
      errorBody: partnerErrorBody,
    });
  }
}
