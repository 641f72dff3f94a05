import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { ProcessPresence } from '#platform/database/process-presence';
import type { NamedStatement } from '#platform/database/named-statement';
import { TypeOrmTransactions } from '#platform/database/typeorm-transactions';
import { BillingDate } from '#kernel/calendar-date';
import type { Uuid } from '#kernel/uuid';
import { LicenseRepository, type HeldLicense, type PendingChange } from '../application/ports/license-repository.js';
import type { LicenseChange, LicenseRecord } from '../domain/license.js';
import { entryColumns } from './ledger-rows.js';
import { inSubtree, LICENSE_COLUMNS, toLicense, type LicenseRow } from './license.row.js';

const heldLicense = (condition: string) =>
  `select ${LICENSE_COLUMNS} from licensing.licenses l where ${condition} for no key update of l`;
const HELD = { name: 'license-held', text: heldLicense('l.id = $1') };
const HELD_IN_SUBTREE = { name: 'license-held-in-subtree', text: heldLicense(`l.id = $1 and ${inSubtree('$2')}`) };
const PENDING = { name: 'pending-change', text: 'select * from licensing.pending_changes where license_id = $1' };

interface PendingRow {
  readonly license_id: Uuid;
  readonly change_id: Uuid;
  readonly call: PendingChange['call'];
  readonly edition: string | null;
  readonly actor: string | null;
  readonly requested_at: Date;
  readonly operation_id: Uuid | null;
  readonly process: number | null;
}

@Injectable()
export class SqlLicenseRepository extends LicenseRepository {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly presence: ProcessPresence,
  ) {
    super();
  }

  findForUpdate(subtree: PartnerSubtree, id: Uuid): Promise<HeldLicense | null> {
    return this.hold(HELD_IN_SUBTREE, [id, subtree.rootId]);
  }

  getForUpdate(id: Uuid): Promise<HeldLicense | null> {
    return this.hold(HELD, [id]);
  }

  async find(id: Uuid): Promise<LicenseRecord | null> {
    const rows: LicenseRow[] = await this.transactions.reader.query(
      `select ${LICENSE_COLUMNS} from licensing.licenses l where l.id = $1`,
      [id],
    );
    return rows[0] ? toLicense(rows[0]) : null;
  }

  async announce(change: PendingChange): Promise<void> {
    const { licenseId, changeId, call, edition, actor, requestedAt, operationId } = change;
    await this.transactions.writer.query(
      `insert into licensing.pending_changes (license_id, change_id, call, edition, actor, requested_at, operation_id, process)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [licenseId, changeId, call, edition, actor, requestedAt, operationId, this.presence.id],
    );
  }

  async takeOver({ licenseId, changeId }: PendingChange): Promise<void> {
    await this.transactions.writer.query(
      'update licensing.pending_changes set change_id = $2, process = $3 where license_id = $1',
      [licenseId, changeId, this.presence.id],
    );
  }

  async abandon({ licenseId, changeId }: PendingChange): Promise<void> {
    await this.transactions.writer.query(
      'update licensing.pending_changes set process = null where license_id = $1 and change_id = $2',
      [licenseId, changeId],
    );
  }

  async withdraw({ licenseId, changeId }: PendingChange): Promise<boolean> {
    const result: unknown = await this.transactions.writer.query(
      'delete from licensing.pending_changes where license_id = $1 and change_id = $2',
      [licenseId, changeId],
    );
    return (result as [unknown, number])[1] > 0;
  }

  async write({ before, after, entries }: LicenseChange, pending: PendingChange | null): Promise<number[] | null> {
    const rows = await this.transactions.prepared<{ id: string }>(WRITE, [
      after.id,
      before.ledger.length,
      pending?.changeId ?? null,
      after.partnerId,
      after.customerId,
      after.contractId,
      after.edition,
      after.state,
      after.suspendedFrom,
      after.expiresOn?.toString() ?? null,
      after.terminatedAt,
      after.lastTransferOn?.toString() ?? null,
      after.ownerSequence,
      after.ledger.length,
      after.ledger.hash,
      ...entryColumns(entries),
      terminationDay({ before, after }),
      after.lastOperationId,
      before.expiresOn?.toString() !== after.expiresOn?.toString(),
    ]);
    return rows.length === entries.length ? rows.map(({ id }) => Number(id)) : null;
  }

  async listAbandoned(limit: number): Promise<Uuid[]> {
    const rows: { license_id: Uuid; process: number | null }[] = await this.transactions.reader.query(
      'select license_id, process from licensing.pending_changes order by requested_at limit $1',
      [limit],
    );
    const free = await Promise.all(rows.map(({ process }) => this.isFree(process)));
    return rows.filter((_, index) => free[index]).map((row) => row.license_id);
  }

  async listDueTrials(day: BillingDate, contractId: Uuid | null, limit: number): Promise<Uuid[]> {
    const rows: { id: Uuid }[] = await this.transactions.reader.query(
      `select l.id from licensing.licenses l
        where l.state = 'trial' and l.expires_on < $1 and ($2::uuid is null or l.contract_id = $2)
          and not exists (select 1 from licensing.pending_changes p where p.license_id = l.id)
        order by l.id limit $3`,
      [day.toString(), contractId, limit],
    );
    return rows.map(({ id }) => id);
  }

  async moveTrialEnds(contractId: Uuid, lastDay: BillingDate | null): Promise<Uuid[]> {
    const writer = this.transactions.writer;
    const values = [contractId, lastDay?.toString() ?? null];
    // What is on its way has told the license service the old end: it is fenced off, and its owner tries again. What
    // becomes a license meanwhile is waited for here, and seen by the next statement.
    await writer.query(
      `update licensing.reservations set expires_on = $2, attempt_id = gen_random_uuid(), process = null
        where contract_id = $1 and state = 'trial'`,
      values,
    );
    const [rows] = await writer.query<[{ id: Uuid }[], number]>(
      `update licensing.licenses set expires_on = $2
        where contract_id = $1 and (state = 'trial' or suspended_from = 'trial') returning id`,
      values,
    );
    return rows.map(({ id }) => id);
  }

  async updateKeyMasked(id: Uuid, keyMasked: string): Promise<void> {
    await this.transactions.writer.query(
      'update licensing.licenses set key_masked = $2 where id = $1 and key_masked <> $2',
      [id, keyMasked],
    );
  }

  private async hold(statement: NamedStatement, values: readonly unknown[]): Promise<HeldLicense | null> {
    const [row] = await this.transactions.prepared<LicenseRow>(statement, values);
    if (!row) return null;
    // Read once the row is held: what was announced before is visible now.
    const [pending] = await this.transactions.prepared<PendingRow>(PENDING, [row.id]);
    if (!pending) return { record: toLicense(row), pending: null, abandoned: false };
    return { record: toLicense(row), pending: toPending(pending), abandoned: await this.isFree(pending.process) };
  }

  /** What this very process began is free as well: its calls on a license take turns, so none of them is running. */
  private async isFree(process: number | null): Promise<boolean> {
    return process === null || process === this.presence.id || !(await this.presence.isAlive(process));
  }
}

/**
 * One statement for the change, its ledger entries and the end of the ownership: all of it or nothing. The license is
 * locked before its pending change, as everywhere.
 */
const WRITE = {
  name: 'write-license',
  text: `
  with held as (
    select id from licensing.licenses where id = $1 and ledger_length = $2 for no key update
  ), completed as (
    delete from licensing.pending_changes p using held
     where p.license_id = held.id and p.change_id = $3::uuid returning p.license_id
  ), license as (
    update licensing.licenses set
      partner_id = $4, customer_id = $5, contract_id = $6, edition = $7, state = $8, suspended_from = $9,
      -- The end of a trial may be moved while a change is pending.
      expires_on = case when $26 then $10::date else expires_on end, terminated_at = $11, last_transfer_on = $12::date, owner_sequence = $13,
      last_operation_id = $25, ledger_length = $14, ledger_head = $15
     where id = (select id from held) and ($3::uuid is null or exists (select 1 from completed))
    returning id
  ), entry as (
    insert into licensing.ledger_events
      (license_id, position, event, at, actor, customer_id, data, previous_hash, hash)
    select license.id, e.position, e.event, e.at, e.actor, e.customer_id, e.data, e.previous_hash, e.hash
      from license, unnest($16::int[], $17::text[], $18::timestamptz[], $19::text[], $20::uuid[], $21::json[],
        $22::bytea[], $23::bytea[]) as e (position, event, at, actor, customer_id, data, previous_hash, hash)
     order by e.position
    returning id
  ), span as (
    update licensing.ownership_spans set
      days = daterange(lower(days), $24::date + 1), closed_by = (select max(id) from entry)
     where license_id = $1 and upper_inf(days) and $24::date is not null and exists (select 1 from license)
  )
  select id from entry order by id`,
};

function terminationDay({ before, after }: Pick<LicenseChange, 'before' | 'after'>): string | null {
  const ends = after.state === 'terminated' && before.state !== 'terminated';
  return ends && after.terminatedAt ? BillingDate.of(after.terminatedAt).toString() : null;
}

function toPending(row: PendingRow): PendingChange {
  return {
    licenseId: row.license_id,
    changeId: row.change_id,
    call: row.call,
    edition: row.edition,
    actor: row.actor,
    requestedAt: row.requested_at,
    operationId: row.operation_id,
  };
}
