import { Injectable } from '@nestjs/common';
import { PartnerTree } from '#libs/partners';
import { isIncomplete } from '#platform/database/database-errors';
import { ProcessPresence } from '#platform/database/connections/process-presence';
import type { SetStatement } from '#platform/database/batching/set-statement';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  ReservationRepository,
  type HeldReservation,
  type NumberedReservation,
  type Reservation,
  type Reserved,
  type UnnumberedLicense,
} from '../../application/ports/reservation-repository.js';
import type { LedgerEntry } from '../../domain/ledger-chain.js';
import { licenseBusy } from '../../domain/licensing-errors.js';
import { ACTIVATE, ISSUE_AT_ONCE, ISSUE_ON_SPARES, RESERVE, type Birth } from './issued-license-row.js';
import { FIND_FOR_UPDATE, RETIRE, toReservation, type ReservationRow, type Work } from './reservation.row.js';
import { SpareReservations } from './spare-reservations.js';

/** No call is on its way to the license service for longer. */
const LONGEST_CALL_MS = 60_000;

@Injectable()
export class SqlReservationRepository extends ReservationRepository {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly presence: ProcessPresence,
    private readonly tree: PartnerTree,
    private readonly spares: SpareReservations,
  ) {
    super();
  }

  async insert(unit: UnitOfWork, reservation: Reservation): Promise<NumberedReservation> {
    const reserving = { reservation, process: this.presence.id };
    const [row] = await this.transactions.each<{ number: string }, typeof reserving>(RESERVE, reserving, unit);
    return { number: Number(row?.number), ...reservation };
  }

  async findForUpdate(licenseId: Uuid): Promise<HeldReservation | null> {
    const [row] = await this.transactions.prepared<ReservationRow>(FIND_FOR_UPDATE, [licenseId]);
    return row ? { reservation: toReservation(row), abandoned: await this.isFree(row) } : null;
  }

  async takeOver({ licenseId, attemptId, reservedAt }: Reservation): Promise<void> {
    await this.transactions.writer.query(
      'update licensing.reservations set attempt_id = $2, reserved_at = $3, process = $4 where license_id = $1',
      [licenseId, attemptId, reservedAt, this.presence.id],
    );
  }

  takeSpare(): Promise<Reserved> {
    return this.spares.take();
  }

  async seize(licenseId: Uuid, attemptId: Uuid): Promise<Reserved | null> {
    const [row] = await this.transactions.prepared<ReservationRow>(FIND_FOR_UPDATE, [licenseId]);
    if (!row || !(await this.isFree(row))) return null;
    // Without a process, should this one fail to undo it: whoever comes next may.
    await this.transactions.writer.query(
      'update licensing.reservations set attempt_id = $2, process = null where license_id = $1',
      [licenseId, attemptId],
    );
    return { licenseId, attemptId, upstreamLicenseId: row.upstream_license_id };
  }

  leave(reserved: Reserved): void {
    this.spares.leave(reserved);
  }

  async retire({ licenseId, attemptId }: Reserved, at: Date): Promise<void> {
    await this.transactions.prepared(RETIRE, [licenseId, attemptId, at]);
  }

  async activate(
    unit: UnitOfWork,
    reservation: Reservation,
    license: UnnumberedLicense,
    issued: LedgerEntry,
  ): Promise<boolean> {
    const birth = { reservation, license, issued, process: this.presence.id };
    // Asked one after the other, and not waited for in between: it may be the last that a unit of work does.
    const [, activated] = await Promise.all([
      this.tree.lockTreeForShare(unit),
      this.transactions.each(ACTIVATE, birth, unit),
    ]);
    return activated.length > 0;
  }

  /** Whoever planned it holds the shape of the partner tree. */
  skip(unit: UnitOfWork, plan: Reservation, license: UnnumberedLicense, issued: LedgerEntry): Promise<number> {
    return this.write(ISSUE_AT_ONCE, unit, plan, license, issued);
  }

  useSpare(unit: UnitOfWork, plan: Reservation, license: UnnumberedLicense, issued: LedgerEntry): Promise<number> {
    const written = this.write(ISSUE_ON_SPARES, unit, plan, license, issued);
    return written.catch((error: unknown) => {
      throw isIncomplete(error) ? licenseBusy() : error;
    });
  }

  async listAbandoned(now: Date, limit: number): Promise<Uuid[]> {
    const reader = this.transactions.reader;
    // By their process first: living ones may have more spare reservations than are looked at here.
    const found: Work[] = await reader.query(
      'select distinct process, partner_id is null as spare from licensing.reservations',
    );
    const abandoned = await Promise.all(found.map((work) => this.isFree(work)));
    const free = found.filter((_, index) => abandoned[index]);
    if (free.length === 0) return [];
    const rows: { license_id: Uuid }[] = await reader.query(
      `select license_id from licensing.reservations r
        where (undone_at is null or undone_at <= $3) and exists (
                select 1 from unnest($1::integer[], $2::boolean[]) as free (process, spare)
                 where r.process is not distinct from free.process and (r.partner_id is null) = free.spare)
        order by reserved_at limit $4`,
      [
        free.map(({ process }) => process),
        free.map(({ spare }) => spare),
        new Date(now.getTime() - LONGEST_CALL_MS),
        limit,
      ],
    );
    return rows.map((row) => row.license_id);
  }

  private async write(
    statement: SetStatement<Birth>,
    unit: UnitOfWork,
    plan: Reservation,
    license: UnnumberedLicense,
    issued: LedgerEntry,
  ): Promise<number> {
    const birth = { reservation: plan, license, issued, process: this.presence.id };
    const [row] = await this.transactions.each<{ number: string }, Birth>(statement, birth, unit);
    return Number(row?.number);
  }

  /**
   * What this very process began is free as well: its calls on a license take turns, so none of them is running. But not
   * what it has in reserve.
   */
  private async isFree({ process, spare }: Work): Promise<boolean> {
    if (process === null) return true;
    return process === this.presence.id ? !spare : !(await this.presence.isAlive(process));
  }
}
