import { Injectable } from '@nestjs/common';
import { PartnerTree } from '#libs/partners';
import { ProcessPresence } from '#platform/database/process-presence';
import { TypeOrmTransactions } from '#platform/database/typeorm-transactions';
import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/uuid';
import {
  ReservationRepository,
  type HeldReservation,
  type NumberedReservation,
  type Reservation,
  type UnnumberedLicense,
} from '../application/ports/reservation-repository.js';
import type { LedgerEntry } from '../domain/ledger-chain.js';
import type { RunningState } from '../domain/license-state.js';
import { ACTIVATE, ISSUE_AT_ONCE, RESERVE, type Birth } from './license-birth.js';
import { storedDay } from './license.row.js';

const FIND_FOR_UPDATE = {
  name: 'reservation-for-update',
  text: 'select *, expires_on::text as last_day from licensing.reservations where license_id = $1 for update',
};

interface ReservationRow {
  readonly license_id: Uuid;
  readonly attempt_id: Uuid;
  readonly number: string;
  readonly partner_id: Uuid;
  readonly customer_id: Uuid;
  readonly contract_id: Uuid;
  readonly upstream_license_id: Uuid;
  readonly edition: string;
  readonly state: RunningState;
  readonly last_day: string | null;
  readonly draws_from_pack: boolean;
  readonly external_billing_ref: string;
  readonly actor: string | null;
  readonly reserved_at: Date;
  readonly process: number | null;
}

@Injectable()
export class SqlReservationRepository extends ReservationRepository {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly presence: ProcessPresence,
    private readonly tree: PartnerTree,
  ) {
    super();
  }

  async insert(unit: UnitOfWork, reservation: Reservation): Promise<NumberedReservation> {
    const reserving = { reservation, process: this.presence.id };
    const [row] = await this.transactions.each<{ number: string }, typeof reserving>(RESERVE, reserving, unit);
    return { ...reservation, number: Number(row?.number) };
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

  async abandon({ licenseId, attemptId }: Reservation): Promise<void> {
    await this.transactions.writer.query(
      'update licensing.reservations set process = null where license_id = $1 and attempt_id = $2',
      [licenseId, attemptId],
    );
  }

  async delete({ licenseId, attemptId }: Reservation): Promise<void> {
    await this.transactions.writer.query(
      'delete from licensing.reservations where license_id = $1 and attempt_id = $2',
      [licenseId, attemptId],
    );
  }

  async activate(
    unit: UnitOfWork,
    reservation: Reservation,
    license: UnnumberedLicense,
    issued: LedgerEntry,
  ): Promise<boolean> {
    const birth = { reservation, license, issued, process: this.presence.id };
    // Asked one after the other, and not waited for in between: it may be the last that a unit of work does.
    const [, activated] = await Promise.all([this.tree.holdShape(unit), this.transactions.each(ACTIVATE, birth, unit)]);
    return activated.length > 0;
  }

  /** Whoever planned it holds the shape of the partner tree. */
  async skip(unit: UnitOfWork, plan: Reservation, license: UnnumberedLicense, issued: LedgerEntry): Promise<number> {
    const birth = { reservation: plan, license, issued, process: this.presence.id };
    const [row] = await this.transactions.each<{ number: string }, Birth>(ISSUE_AT_ONCE, birth, unit);
    return Number(row?.number);
  }

  async listAbandoned(limit: number): Promise<Uuid[]> {
    const rows: { license_id: Uuid; process: number | null }[] = await this.transactions.reader.query(
      'select license_id, process from licensing.reservations order by reserved_at limit $1',
      [limit],
    );
    const free = await Promise.all(rows.map(({ process }) => this.isFree(process)));
    return rows.filter((_, index) => free[index]).map((row) => row.license_id);
  }

  /** What this very process began is free as well: its calls on a license take turns, so none of them is running. */
  private async isFree(process: number | null): Promise<boolean> {
    return process === null || process === this.presence.id || !(await this.presence.isAlive(process));
  }
}

function toReservation(row: ReservationRow): NumberedReservation {
  return {
    licenseId: row.license_id,
    attemptId: row.attempt_id,
    number: Number(row.number),
    partnerId: row.partner_id,
    customerId: row.customer_id,
    contractId: row.contract_id,
    upstreamLicenseId: row.upstream_license_id,
    edition: row.edition,
    state: row.state,
    expiresOn: storedDay(row.last_day),
    drawsFromPack: row.draws_from_pack,
    externalBillingRef: row.external_billing_ref,
    actor: row.actor,
    reservedAt: row.reserved_at,
  };
}
