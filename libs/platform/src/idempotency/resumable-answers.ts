import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { ProcessPresence } from '../database/connections/process-presence.js';
import { TypeOrmTransactions } from '../database/transactions/typeorm-transactions.js';
import { keyInProgress, keyReused } from './idempotency-errors.js';
import { hashOfFingerprint, hashOfKey, type IdempotentAnswer, type IdempotentRequest } from './idempotent-request.js';
import { openText, sealText } from './sealed-text.js';

interface Row {
  readonly fingerprint: Buffer;
  readonly status: number | null;
  readonly sealed_body: Buffer | null;
  readonly headers: Record<string, string>;
  readonly operation_id: Uuid | null;
  readonly process: number | null;
}

type Start = { readonly kept: IdempotentAnswer } | { readonly operationId: Uuid };

const KEPT_HOURS = 24;

/**
 * Responses by Idempotency-Key for work that calls other services and so cannot be one transaction. The key is stored
 * before the work, with an operation id. If the process dies, or the work fails for a reason unrelated to the request,
 * a repeat resumes under the same operation id.
 */
@Injectable()
export class ResumableAnswers {
  /** Operations that this process is working on. */
  private readonly running = new Set<Uuid>();

  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly presence: ProcessPresence,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * @param work must have its effect once per operation id, however often it is started
   * @param refusal turns an error that `work` threw into a response to store, or rethrows what must not be stored
   * @throws Invalid `idempotency-key-reused` for another request with the same key
   * @throws Conflict `idempotency-key-in-progress` while a live process works on it
   */
  async once(
    request: IdempotentRequest,
    work: (operationId: Uuid) => Promise<IdempotentAnswer>,
    refusal: (error: unknown) => IdempotentAnswer,
  ): Promise<{ answer: IdempotentAnswer; replayed: boolean }> {
    const start = await this.transactions.run(() => this.start(request));
    if ('kept' in start) return { answer: start.kept, replayed: true };
    const { operationId } = start;
    try {
      const answer = await this.answerOf(() => work(operationId), refusal);
      await this.transactions.run(() => this.keep(request, operationId, answer));
      return { answer, replayed: false };
    } finally {
      this.running.delete(operationId);
    }
  }

  private async answerOf(
    work: () => Promise<IdempotentAnswer>,
    refusal: (error: unknown) => IdempotentAnswer,
  ): Promise<IdempotentAnswer> {
    try {
      return await work();
    } catch (error) {
      return refusal(error);
    }
  }

  private async start(request: IdempotentRequest): Promise<Start> {
    const operationId = this.randomness.uuid();
    const now = this.clock.now();
    const key = hashOfKey(request);
    const fingerprint = hashOfFingerprint(request);
    const fresh: unknown[] = await this.transactions.writer.query(
      `insert into platform.idempotent_answers as a (key_hash, fingerprint, headers, expires_at, operation_id, process)
       values ($1, $2, '{}', $3, $4, $5)
       on conflict (key_hash) do update
         set fingerprint = excluded.fingerprint, status = null, sealed_body = null, headers = excluded.headers,
             expires_at = excluded.expires_at, operation_id = excluded.operation_id, process = excluded.process
         where a.expires_at <= $6
       returning 1`,
      [key, fingerprint, new Date(now.getTime() + KEPT_HOURS * 3_600_000), operationId, this.presence.id, now],
    );
    if (fresh.length === 0) return this.resume(request, key, fingerprint);
    this.running.add(operationId);
    return { operationId };
  }

  private async resume(request: IdempotentRequest, key: Buffer, fingerprint: Buffer): Promise<Start> {
    const rows: Row[] = await this.transactions.writer.query(
      `select fingerprint, status, sealed_body, headers, operation_id, process
         from platform.idempotent_answers where key_hash = $1 for update`,
      [key],
    );
    const row = rows[0];
    if (!row) throw keyInProgress();
    if (!row.fingerprint.equals(fingerprint)) throw keyReused();
    if (row.status !== null) {
      const body = row.sealed_body && openText(row.sealed_body, request.key);
      return { kept: { status: row.status, body, headers: row.headers } };
    }
    if (row.operation_id === null || (await this.isWorkedOn(row.operation_id, row.process))) throw keyInProgress();
    await this.transactions.writer.query('update platform.idempotent_answers set process = $2 where key_hash = $1', [
      key,
      this.presence.id,
    ]);
    this.running.add(row.operation_id);
    return { operationId: row.operation_id };
  }

  private async isWorkedOn(operationId: Uuid, process: number | null): Promise<boolean> {
    if (process === null) return false;
    return process === this.presence.id ? this.running.has(operationId) : this.presence.isAlive(process);
  }

  private async keep(request: IdempotentRequest, operationId: Uuid, answer: IdempotentAnswer): Promise<void> {
    await this.transactions.writer.query(
      `update platform.idempotent_answers set status = $3, sealed_body = $4, headers = $5, process = null
        where key_hash = $1 and operation_id = $2 and status is null`,
      [
        hashOfKey(request),
        operationId,
        answer.status,
        answer.body === null ? null : sealText(answer.body, request.key),
        JSON.stringify(answer.headers),
      ],
    );
  }
}
