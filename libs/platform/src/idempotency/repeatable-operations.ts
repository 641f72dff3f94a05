import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '../database/transactions/typeorm-transactions.js';

/** An operation whose Idempotency-Key is still valid. */
export interface RepeatableOperation {
  /** Whether a repeat gets a stored response; otherwise it resumes the work. */
  readonly answered: boolean;
  /** No repeat is accepted after this. */
  readonly until: Date;
}

/** Longer than any request runs, so that a repeat sent at the last moment has ended. */
const LAST_REPEAT_MS = 300_000;

/** Finds out whether a client may still repeat a resumable operation. */
@Injectable()
export class RepeatableOperations {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly clock: Clock,
  ) {}

  /** Null if the operation had no key, or the key has expired. Scans all stored keys: not for hot paths. */
  async find(operationId: Uuid): Promise<RepeatableOperation | null> {
    const rows: { answered: boolean; expires_at: Date }[] = await this.transactions.reader.query(
      `select status is not null as answered, expires_at from platform.idempotent_answers
        where operation_id = $1 and expires_at > $2`,
      [operationId, new Date(this.clock.now().getTime() - LAST_REPEAT_MS)],
    );
    return rows[0]
      ? { answered: rows[0].answered, until: new Date(rows[0].expires_at.getTime() + LAST_REPEAT_MS) }
      : null;
  }
}
