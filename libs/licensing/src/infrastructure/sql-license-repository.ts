import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { ProcessPresence } from '#platform/database/connections/process-presence';
import {
  arraysOf,
  namesOf,
  relationOf,
  type Columns,
  type SetStatement,
} from '#platform/database/batching/set-statement';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { LicenseRepository, type HeldLicense, type PendingChange } from '../application/ports/license-repository.js';
import type { LicenseChange, LicenseRecord } from '../domain/license.js';
import { COMPLETE, WRITE, type AnnouncedChange } from './license-change-statement.js';
import { inSubtree, LICENSE_COLUMNS, toLicense, type LicenseRow } from './license.row.js';

interface Asked {
  readonly id: Uuid;
  readonly subtree?: PartnerSubtree;
}

const BY_ID: Columns<Asked> = { id: ['uuid', ({ id }) => id] };
const BY_SUBTREE: Columns<Asked> = { ...BY_ID, root_id: ['uuid', ({ subtree }) => subtree?.rootId] };
const heldLicenses = (asked: Columns<Asked>, condition: string) =>
  `select asked.place, ${LICENSE_COLUMNS} from ${relationOf(asked)} as asked
     join licensing.licenses l on l.id = asked.id and ${condition}
    order by l.id for no key update of l`;
const HELD: SetStatement<Asked> = {
  name: 'licenses-held',
  text: heldLicenses(BY_ID, 'true'),
  values: arraysOf(BY_ID),
};
const HELD_IN_SUBTREE: SetStatement<Asked> = {
  name: 'licenses-held-in-subtrees',
  text: heldLicenses(BY_SUBTREE, inSubtree('asked.root_id')),
  values: arraysOf(BY_SUBTREE),
};
const PENDING: SetStatement<Asked> = {
  name: 'pending-changes',
  text: `select asked.place, p.* from ${relationOf(BY_ID)} as asked
    join licensing.pending_changes p on p.license_id = asked.id`,
  values: arraysOf(BY_ID),
};
const ANNOUNCED: Columns<PendingChange & { readonly process: number }> = {
  license_id: ['uuid', ({ licenseId }) => licenseId],
  change_id: ['uuid', ({ changeId }) => changeId],
  call: ['text', ({ call }) => call],
  edition: ['text', ({ edition }) => edition],
  actor: ['text', ({ actor }) => actor],
  requested_at: ['timestamptz', ({ requestedAt }) => requestedAt.toISOString()],
  operation_id: ['uuid', ({ operationId }) => operationId],
  process: ['integer', ({ process }) => process],
};
const ANNOUNCE: SetStatement<PendingChange & { readonly process: number }> = {
  name: 'announce-changes',
  text: `insert into licensing.pending_changes (${namesOf(ANNOUNCED)})
    select ${namesOf(ANNOUNCED)} from ${relationOf(ANNOUNCED)} as asked`,
  values: arraysOf(ANNOUNCED),
};

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

  findForUpdate(unit: UnitOfWork, subtree: PartnerSubtree, id: Uuid): Promise<HeldLicense | null> {
    return this.hold(unit, HELD_IN_SUBTREE, { id, subtree });
  }

  getForUpdate(unit: UnitOfWork, id: Uuid): Promise<HeldLicense | null> {
    return this.hold(unit, HELD, { id });
  }

  async find(id: Uuid): Promise<LicenseRecord | null> {
    const rows: LicenseRow[] = await this.transactions.reader.query(
      `select ${LICENSE_COLUMNS} from licensing.licenses l where l.id = $1`,
      [id],
    );
    return rows[0] ? toLicense(rows[0]) : null;
  }

  async announce(unit: UnitOfWork, change: PendingChange): Promise<void> {
    await this.transactions.each(ANNOUNCE, { process: this.presence.id, ...change }, unit);
  }

  async takeOver(unit: UnitOfWork, { licenseId, changeId }: PendingChange): Promise<void> {
    const writer = this.transactions.writerOf(unit);
    await writer.query('update licensing.pending_changes set change_id = $2, process = $3 where license_id = $1', [
      licenseId,
      changeId,
      this.presence.id,
    ]);
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

  async write(unit: UnitOfWork, change: LicenseChange): Promise<number[]> {
    const rows = await this.transactions.each<{ id: string }, LicenseChange>(WRITE, change, unit);
    return rows.map(({ id }) => Number(id));
  }

  async complete(
    unit: UnitOfWork,
    { before, after, entries }: LicenseChange,
    { changeId }: PendingChange,
  ): Promise<number[] | null> {
    const announced = { before, after, entries, changeId };
    const rows = await this.transactions.each<{ id: string }, AnnouncedChange>(COMPLETE, announced, unit);
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
      `select l.id from licensing.unlike_active u join licensing.licenses l on l.id = u.license_id
        where u.ends_on < $1 and ($2::uuid is null or l.contract_id = $2)
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

  private async hold(unit: UnitOfWork, statement: SetStatement<Asked>, asked: Asked): Promise<HeldLicense | null> {
    // The second is read once the row is held: what was announced before is visible then.
    const [[row], [pending]] = await Promise.all([
      this.transactions.each<LicenseRow, Asked>(statement, asked, unit),
      this.transactions.each<PendingRow, Asked>(PENDING, asked, unit),
    ]);
    if (!row) return null;
    if (!pending) return { record: toLicense(row), pending: null, abandoned: false };
    return { record: toLicense(row), pending: toPending(pending), abandoned: await this.isFree(pending.process, unit) };
  }

  /** What this very process began is free as well: its calls on a license take turns, so none of them is running. */
  private async isFree(process: number | null, unit?: UnitOfWork): Promise<boolean> {
    return process === null || process === this.presence.id || !(await this.presence.isAlive(process, unit));
  }
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
