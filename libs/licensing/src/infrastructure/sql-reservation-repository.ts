import { Injectable } from '@nestjs/common';
import { PartnerTree } from '#libs/partners';
import { ProcessPresence } from '#platform/database/process-presence';
import { TypeOrmTransactions } from '#platform/database/typeorm-transactions';
import { BillingDate } from '#kernel/calendar-date';
import type { Uuid } from '#kernel/uuid';
import {
  ReservationRepository,
  type HeldReservation,
  type NumberedReservation,
  type Reservation,
} from '../application/ports/reservation-repository.js';
import type { LedgerEntry } from '../domain/ledger-chain.js';
import type { LicenseRecord } from '../domain/license.js';
import type { RunningState } from '../domain/license-state.js';
import { storedDay } from './license.row.js';

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

  async insert(reservation: Reservation): Promise<NumberedReservation> {
    const rows: { number: string }[] = await this.transactions.writer.query(
      `insert into licensing.reservations
         (license_id, attempt_id, number, partner_id, customer_id, contract_id, upstream_license_id, edition, state,
          expires_on, draws_from_pack, external_billing_ref, actor, reserved_at, process)
       values ($1, $2, nextval('licensing.license_numbers'), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
       returning number`,
      [
        reservation.licenseId,
        reservation.attemptId,
        reservation.partnerId,
        reservation.customerId,
        reservation.contractId,
        reservation.upstreamLicenseId,
        reservation.edition,
        reservation.state,
        reservation.expiresOn?.toString() ?? null,
        reservation.drawsFromPack,
        reservation.externalBillingRef,
        reservation.actor,
        reservation.reservedAt,
        this.presence.id,
      ],
    );
    return { ...reservation, number: Number(rows[0]?.number) };
  }

  async findForUpdate(licenseId: Uuid): Promise<HeldReservation | null> {
    const rows: ReservationRow[] = await this.transactions.writer.query(
      'select *, expires_on::text as last_day from licensing.reservations where license_id = $1 for update',
      [licenseId],
    );
    return rows[0] ? { reservation: toReservation(rows[0]), abandoned: await this.isFree(rows[0].process) } : null;
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

  async activate(reservation: Reservation, license: LicenseRecord, issued: LedgerEntry): Promise<boolean> {
    await this.tree.holdShape();
    const rows: unknown[] = await this.transactions.writer.query(ACTIVATE, [
      reservation.licenseId,
      reservation.attemptId,
      license.keyMasked,
      license.metadata,
      license.ownerSequence,
      license.ledger.length,
      license.ledger.hash,
      issued.event,
      issued.previousHash,
      JSON.stringify(issued.data),
      BillingDate.of(license.issuedAt).toString(),
    ]);
    return rows.length > 0;
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

/** The caller holds the shape of the partner tree. */
const ACTIVATE = `
  with reserved as (
    delete from licensing.reservations where license_id = $1 and attempt_id = $2 returning *
  ), license as (
    insert into licensing.licenses
      (id, number, partner_id, customer_id, contract_id, upstream_license_id, key_masked, edition, state, expires_on,
       external_billing_ref, metadata, issued_at, owner_sequence, ledger_length, ledger_head)
    select license_id, number, partner_id, customer_id, contract_id, upstream_license_id, $3, edition, state,
           expires_on, external_billing_ref, $4, reserved_at, $5, $6, $7
      from reserved
    returning id
  ), entry as (
    insert into licensing.ledger_events
      (license_id, position, event, at, actor, customer_id, data, previous_hash, hash)
    select license_id, 1, $8, reserved_at, actor, customer_id, $10::json, $9, $7 from reserved
    returning id
  ), span as (
    insert into licensing.ownership_spans (license_id, contract_id, days, opened_by)
    select license_id, contract_id, daterange($11::date, null), entry.id from reserved, entry
  ), draw as (
    insert into licensing.pack_draws (contract_id, license_id, drawn_on, event_id)
    select contract_id, license_id, $11::date, entry.id from reserved, entry where draws_from_pack
  ), place as (
    insert into licensing.subtree_index (ancestor_id, issued_at, license_id)
    select s.ancestor_id, r.reserved_at, r.license_id
      from reserved r join partners.subtrees s on s.descendant_id = r.partner_id
  ), handover as (
    insert into licensing.key_handovers (license_id, issued_at, process)
    select license_id, reserved_at, process from reserved
  )
  select id from license`;

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
