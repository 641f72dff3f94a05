import { Injectable } from '@nestjs/common';
import type { PartnerSubtree } from '#libs/partners';
import { ASKED_IN_SUBTREE } from '#platform/database/batching/asked-in-subtree';
import { HotReader } from '#platform/database/batching/hot-reader';
import type { NamedStatement } from '#platform/database/batching/named-statement';
import { arraysOf, relationOf, rowsByPlace, type SetStatement } from '#platform/database/batching/set-statement';
import { tickBatch } from '#platform/database/batching/tick-batch';
import { ProcessPresence } from '#platform/database/connections/process-presence';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import { LicenseRepository, type FoundLicense, type PendingChange } from '../application/ports/license-repository.js';
import type { LicenseRecord } from '../domain/license.js';
import { inSubtree, LICENSE_COLUMNS, toLicense, type LicenseRow } from './license.row.js';

interface Asked {
  readonly id: Uuid;
  readonly subtree: PartnerSubtree;
}

const PENDING_COLUMNS = `p.change_id, p.call, p.edition as pending_edition, p.actor, p.requested_at, p.operation_id, p.process`;
/** A license and its pending change, read in one snapshot. */
const LOOK: SetStatement<Asked> = {
  name: 'licenses-looked-up',
  text: `select asked.place, ${LICENSE_COLUMNS}, ${PENDING_COLUMNS}
    from ${relationOf(ASKED_IN_SUBTREE)} as asked
    join licensing.licenses l on l.id = asked.id and ${inSubtree('asked.root_id')}
    left join licensing.pending_changes p on p.license_id = l.id`,
  values: arraysOf(ASKED_IN_SUBTREE),
};
const LOOK_ANYWHERE = `select ${LICENSE_COLUMNS}, ${PENDING_COLUMNS}
  from licensing.licenses l left join licensing.pending_changes p on p.license_id = l.id where l.id = $1`;
const held = (condition: string) =>
  `select ${LICENSE_COLUMNS} from licensing.licenses l where l.id = $1 and ${condition} for no key update of l`;
const HELD = { name: 'license-held', text: held('true') };
const HELD_IN_SUBTREE = { name: 'license-held-in-subtree', text: held(inSubtree('$2')) };
const PENDING = {
  name: 'pending-change',
  text: `select ${PENDING_COLUMNS} from licensing.pending_changes p where p.license_id = $1`,
};

interface PendingRow {
  readonly change_id: Uuid | null;
  readonly call: PendingChange['call'];
  readonly pending_edition: string | null;
  readonly actor: string | null;
  readonly requested_at: Date;
  readonly operation_id: Uuid | null;
  readonly process: number | null;
}

@Injectable()
export class SqlLicenseRepository extends LicenseRepository {
  private readonly load: (asked: Asked) => Promise<(LicenseRow & PendingRow) | null>;

  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly presence: ProcessPresence,
    reader: HotReader,
  ) {
    super();
    this.load = tickBatch<Asked, LicenseRow & PendingRow>(async (questions) => {
      const rows = await reader.rows(LOOK, LOOK.values(questions));
      return rowsByPlace<LicenseRow & PendingRow>(rows, questions.length).map(([row]) => row ?? null);
    });
  }

  async look(subtree: PartnerSubtree, id: Uuid): Promise<FoundLicense | null> {
    const row = await this.load({ subtree, id });
    return row && this.found(row, row);
  }

  async lookAnywhere(id: Uuid): Promise<FoundLicense | null> {
    const rows: (LicenseRow & PendingRow)[] = await this.transactions.reader.query(LOOK_ANYWHERE, [id]);
    return rows[0] ? this.found(rows[0], rows[0]) : null;
  }

  findForUpdate(subtree: PartnerSubtree, id: Uuid): Promise<FoundLicense | null> {
    return this.hold(HELD_IN_SUBTREE, [id, subtree.rootId]);
  }

  getForUpdate(id: Uuid): Promise<FoundLicense | null> {
    return this.hold(HELD, [id]);
  }

  async find(id: Uuid): Promise<LicenseRecord | null> {
    const rows: LicenseRow[] = await this.transactions.reader.query(
      `select ${LICENSE_COLUMNS} from licensing.licenses l where l.id = $1`,
      [id],
    );
    return rows[0] ? toLicense(rows[0]) : null;
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
    // Issues in progress have sent the old end to the license service. A new attempt id makes them fail, and their
    // callers try again. This statement waits for those that become licenses meanwhile; the next one sees them.
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

  private async hold(statement: NamedStatement, [id, ...more]: [Uuid, ...Uuid[]]): Promise<FoundLicense | null> {
    const [row] = await this.transactions.prepared<LicenseRow>(statement, [id, ...more]);
    if (!row) return null;
    // Read after the row is locked, so that every earlier announcement is visible.
    const [pending] = await this.transactions.prepared<PendingRow>(PENDING, [id]);
    return this.found(row, pending);
  }

  private async found(row: LicenseRow, pending: PendingRow | undefined): Promise<FoundLicense> {
    const record = toLicense(row);
    const change = pending ? toPending(record.id, pending) : null;
    return { record, pending: change, abandoned: change !== null && (await this.isFree(pending?.process ?? null)) };
  }

  /**
   * A change of this process is free as well: its calls on a license take turns, so the call that began it has ended.
   */
  private async isFree(process: number | null): Promise<boolean> {
    return process === null || process === this.presence.id || !(await this.presence.isAlive(process));
  }
}

function toPending(licenseId: Uuid, row: PendingRow): PendingChange | null {
  if (row.change_id === null) return null;
  return {
    licenseId,
    changeId: row.change_id,
    call: row.call,
    edition: row.pending_edition,
    actor: row.actor,
    requestedAt: row.requested_at,
    operationId: row.operation_id,
  };
}
