import { storedDay } from '#platform/database/stored-day';
import type { Uuid } from '#kernel/crypto/uuid';
import type { NumberedReservation } from '../../application/ports/reservation-repository.js';
import type { RunningState } from '../../domain/license-state.js';

export const FIND_FOR_UPDATE = {
  name: 'reservation-for-update',
  text: `select *, expires_on::text as last_day from licensing.reservations where license_id = $1 for update`,
};

/** Keeps the row under another id, so that the license can be reserved again. */
export const RETIRE = {
  name: 'retire-reservation',
  text: `with gone as (
      delete from licensing.reservations where license_id = $1 and attempt_id = $2 and undone_at is not null
    )
    update licensing.reservations
       set license_id = upstream_license_id, process = null, undone_at = $3, number = null, partner_id = null,
           customer_id = null, contract_id = null, edition = null, state = null, expires_on = null,
           draws_from_pack = null, external_billing_ref = null, actor = null
     where license_id = $1 and attempt_id = $2 and undone_at is null`,
};

/** Releases it: any process may take over a reservation without a process. */
export const RELEASE = {
  name: 'release-reservation',
  text: 'update licensing.reservations set process = null where license_id = $1 and attempt_id = $2',
};

/** An undone reservation has null in every column that describes the license. */
export interface ReservationRow {
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

/** For a reservation that was not undone. */
export function toReservation(row: ReservationRow): NumberedReservation {
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
