import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { TypeOrmTransactions } from '../database/transactions/typeorm-transactions.js';
import { keyInProgress, keyReused } from './idempotency-errors.js';
import { hashOfFingerprint, hashOfKey, type IdempotentAnswer, type IdempotentRequest } from './idempotent-request.js';
import { openText, sealText } from './sealed-text.js';

interface Row {
  fingerprint: Buffer;
  status: number;
  sealed_body: Buffer | null;
  headers: Record<string, string>;
}

const KEPT_HOURS = 24;

/**
 * Stores responses by Idempotency-Key for 24 hours. The effect and the stored response are committed in one
 * transaction: after a crash either both exist or neither, and a repeat is then a first attempt.
 */
@Injectable()
export class IdempotencyStore {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` once for the key and gives every repeat the first response. `refusal` turns an error that `work` threw
   * (its writes are rolled back) into a response to store, or rethrows what must not be stored.
   * @throws Invalid `idempotency-key-reused` for another request with the same key
   * @throws Conflict `idempotency-key-in-progress` while the first is still running
   */
  once(
    request: IdempotentRequest,
    work: () => Promise<IdempotentAnswer>,
    refusal: (error: unknown) => IdempotentAnswer,
  ): Promise<{ answer: IdempotentAnswer; replayed: boolean }> {
    return this.transactions.run(async () => {
      await this.lock(request);
      const kept = await this.find(request);
      if (kept) return { answer: kept, replayed: true };
      let answer: IdempotentAnswer;
      try {
        answer = await this.transactions.attempt(work);
      } catch (error) {
        answer = refusal(error);
      }
      await this.keep(request, answer);
      return { answer, replayed: false };
    });
  }

  /** @returns how many responses were deleted because their 24 hours are over */
  async forgetExpired(): Promise<number> {
    return this.transactions.run(async () => {
      const result: unknown = await this.transactions.writer.query(
        'delete from platform.idempotent_answers where expires_at <= $1',
        [this.clock.now()],
      );
      return (result as [unknown, number])[1];
    });
  }

  private async lock(request: IdempotentRequest): Promise<void> {
    const number = hashOfKey(request).readBigInt64BE(0).toString();
    const rows: { free: boolean }[] = await this.transactions.writer.query(
      'select pg_try_advisory_xact_lock($1::bigint) as free',
      [number],
    );
    if (rows[0]?.free) return;
    throw keyInProgress();
  }

  private async find(request: IdempotentRequest): Promise<IdempotentAnswer | null> {
    const rows: Row[] = await this.transactions.reader.query(
      `select fingerprint, status, sealed_body, headers from platform.idempotent_answers
        where key_hash = $1 and expires_at > $2`,
      [hashOfKey(request), this.clock.now()],
    );
    const row = rows[0];
    if (!row) return null;
    if (!row.fingerprint.equals(hashOfFingerprint(request))) throw keyReused();
    const body = row.sealed_body && openText(row.sealed_body, request.key);
    return { status: row.status, body, headers: row.headers };
  }

  private async keep(request: IdempotentRequest, answer: IdempotentAnswer): Promise<void> {
    const now = this.clock.now();
    await this.transactions.writer.query(
      `insert into platform.idempotent_answers (key_hash, fingerprint, status, sealed_body, headers, expires_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (key_hash) do update set fingerprint = excluded.fingerprint, status = excluded.status,
         sealed_body = excluded.sealed_body, headers = excluded.headers, expires_at = excluded.expires_at`,
      [
        hashOfKey(request),
        hashOfFingerprint(request),
        answer.status,
        answer.body === null ? null : sealText(answer.body, request.key),
        JSON.stringify(answer.headers),
        new Date(now.getTime() + KEPT_HOURS * 3_600_000),
      ],
    );
  }
}
