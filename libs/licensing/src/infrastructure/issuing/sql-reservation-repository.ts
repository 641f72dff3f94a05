import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { ProcessPresence } from '#platform/database/connections/process-presence';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  ReservationRepository,
  type HeldReservation,
  type Reservation,
  type Reserved,
} from '../../application/ports/reservation-repository.js';
import { FIND_FOR_UPDATE, RELEASE, RETIRE, toReservation, type ReservationRow } from './reservation.row.js';

/** No call to the license service takes longer. */
const MAX_CALL_MS = 60_000;
const RETRY_MS = 500;

@Injectable()
export class SqlReservationRepository extends ReservationRepository implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SqlReservationRepository.name);
  private ended = false;

  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly presence: ProcessPresence,
  ) {
    super();
  }

  async findForUpdate(licenseId: Uuid): Promise<HeldReservation | null> {
    const [row] = await this.transactions.prepared<ReservationRow>(FIND_FOR_UPDATE, [licenseId]);
    return row ? { reservation: toReservation(row), abandoned: await this.isFree(row.process) } : null;
  }

  async takeOver({ licenseId, attemptId, reservedAt }: Reservation): Promise<void> {
    await this.transactions.writer.query(
      'update licensing.reservations set attempt_id = $2, reserved_at = $3, process = $4 where license_id = $1',
      [licenseId, attemptId, reservedAt, this.presence.id],
    );
  }

  async seize(licenseId: Uuid, attemptId: Uuid): Promise<Reserved | null> {
    const [row] = await this.transactions.prepared<ReservationRow>(FIND_FOR_UPDATE, [licenseId]);
    if (!row || !(await this.isFree(row.process))) return null;
    // Stored without a process, so that another one may take it if this one fails to undo it.
    await this.transactions.writer.query(
      'update licensing.reservations set attempt_id = $2, process = null where license_id = $1',
      [licenseId, attemptId],
    );
    return { licenseId, attemptId, upstreamLicenseId: row.upstream_license_id };
  }

  release(reserved: Reserved): void {
    void this.releaseWithRetries(reserved);
  }

  beforeApplicationShutdown(): void {
    this.ended = true;
  }

  async retire({ licenseId, attemptId }: Reserved, at: Date): Promise<void> {
    await this.transactions.prepared(RETIRE, [licenseId, attemptId, at]);
  }

  async listAbandoned(now: Date, limit: number): Promise<Uuid[]> {
    const reader = this.transactions.reader;
    // Filtered by process first: live processes may have more reservations than this limit.
    const found: { process: number | null }[] = await reader.query(
      'select distinct process from licensing.reservations',
    );
    const abandoned = await Promise.all(found.map(({ process }) => this.isFree(process)));
    const free = found.filter((_, index) => abandoned[index]).map(({ process }) => process);
    if (free.length === 0) return [];
    const rows: { license_id: Uuid }[] = await reader.query(
      `select license_id from licensing.reservations r
        where (undone_at is null or undone_at <= $2)
          and exists (select 1 from unnest($1::integer[]) as free (process) where r.process is not distinct from free.process)
        order by reserved_at limit $3`,
      [free, new Date(now.getTime() - MAX_CALL_MS), limit],
    );
    return rows.map((row) => row.license_id);
  }

  /**
   * A reservation of this process is free as well: its calls on a license take turns, so the call that made it has
   * ended.
   */
  private async isFree(process: number | null): Promise<boolean> {
    return process === null || process === this.presence.id || !(await this.presence.isAlive(process));
  }

  /**
   * Retries until the database answers, because others consider the reservation taken as long as this process lives.
   */
  private async releaseWithRetries({ licenseId, attemptId }: Reserved): Promise<void> {
    for (;;) {
      try {
        await this.transactions.atOnce(RELEASE, [licenseId, attemptId]);
        return;
      } catch (error) {
        // The end of the process releases it too.
        if (this.ended) return;
        this.logger.warn(`reservation not released, trying again: ${String(error)}`);
        await pause(RETRY_MS, undefined, { ref: false });
      }
    }
  }
}
