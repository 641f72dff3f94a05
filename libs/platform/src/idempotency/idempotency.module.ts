import { Module } from '@nestjs/common';
import { IdempotencyStore } from './idempotency-store.js';
import { ResumableAnswers } from './resumable-answers.js';

@Module({ providers: [IdempotencyStore, ResumableAnswers], exports: [IdempotencyStore, ResumableAnswers] })
export class IdempotencyModule {}
