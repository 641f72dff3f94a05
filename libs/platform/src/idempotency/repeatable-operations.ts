import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '../database/transactions/typeorm-transactions.js';

/** An operation that came with an Idempotency-Key which still serves. */
export interface RepeatableOperation {
  /** Whether a repeat gets a kept answer; otherwise it goes on with the work. */
  readonly answered: boolean;
  /** No repeat is heard after this. */
  readonly until: Date;
}

/** Longer than any request runs: a repeat that came at the last moment must have ended. */
const LAST_REPEAT_MS = 300_000;

/** Tells whether somebody may still come back for the outcome of a resumable operation. */
@Injectable()
export class RepeatableOperations {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly clock: Clock,
  ) {}

  /** Null when it came without a key, or the time of its key is over. Looks through all kept keys: not for hot paths. */
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
