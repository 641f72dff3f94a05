import { Module } from '@nestjs/common';
import { IdempotencyStore } from './idempotency-store.js';
import { RepeatableOperations } from './repeatable-operations.js';
import { ResumableAnswers } from './resumable-answers.js';

const PROVIDERS = [IdempotencyStore, ResumableAnswers, RepeatableOperations];

@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class IdempotencyModule {}
