import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { Randomness } from '#kernel/crypto/randomness';
import type { ImportedLicense } from '../../application/import/imported-license.js';
import { ImportedLicenses } from '../../application/import/ports/imported-licenses.js';

const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

@Injectable()
export class SqlImportedLicenses extends ImportedLicenses {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  async insert(licenses: readonly ImportedLicense[], syncAt: Date | null): Promise<void> {
    const ids = await this.eventIds(licenses.reduce((count, { entries }) => count + entries.length, 0));
    let given = 0;
    const numbered = licenses.map((license) => {
      const first = given;
      given += license.entries.length;
      return { license, eventId: (position: number) => ids[first + position - 1] };
    });
    await this.write(LICENSES, licenses.map(licenseRow));
    await this.write(EVENTS, numbered.flatMap(eventRows));
    await this.write(SPANS, numbered.flatMap(spanRows));
    await this.write(DRAWS, numbered.flatMap(drawRows));
    await this.write(
      TRANSFERS,
      licenses.flatMap((license) => transferRows(license, syncAt)),
    );
    if (syncAt) await this.write(SYNCS, this.syncRows(licenses, syncAt));
  }

  private async eventIds(count: number): Promise<string[]> {
    const rows = await this.transactions.writer.query<{ id: string }[]>(
      `select nextval(pg_get_serial_sequence('licensing.ledger_events', 'id')) as id from generate_series(1, $1)`,
      [count],
    );
    return rows.map(({ id }) => id);
  }

  private async write(sql: string, rows: readonly unknown[]): Promise<void> {
    if (rows.length > 0) await this.transactions.writer.query(sql, [JSON.stringify(rows)]);
  }

  private syncRows(licenses: readonly ImportedLicense[], dueAt: Date) {
    const living = licenses.filter(({ record }) => record.state !== 'terminated');
    return living.map(({ record }) => {
      return { license_id: record.id, request_id: this.randomness.uuid(), due_at: dueAt, attempts: 0 };
    });
  }
}

interface Numbered {
  readonly license: ImportedLicense;
  readonly eventId: (position: number) => string | undefined;
}

const LICENSE_COLUMNS = `id, partner_id, customer_id, contract_id, upstream_license_id, key_masked, edition, state,
  suspended_from, expires_on, external_billing_ref, metadata, issued_at, terminated_at, last_transfer_on,
  owner_sequence, ledger_length, ledger_head`;

const LICENSES = `
  with given as (select * from json_populate_recordset(null::licensing.licenses, $1)), license as (
    insert into licensing.licenses (number, ${LICENSE_COLUMNS})
    select nextval('licensing.license_numbers'), ${LICENSE_COLUMNS} from given
  )
  insert into licensing.subtree_index (ancestor_id, issued_at, license_id)
  select s.ancestor_id, given.issued_at, given.id
    from given join partners.subtrees s on s.descendant_id = given.partner_id`;

function licenseRow({ record }: ImportedLicense) {
  return {
    id: record.id,
    partner_id: record.partnerId,
    customer_id: record.customerId,
    contract_id: record.contractId,
    upstream_license_id: record.upstreamLicenseId,
    key_masked: record.keyMasked,
    edition: record.edition,
    state: record.state,
    suspended_from: record.suspendedFrom,
    expires_on: record.expiresOn,
    external_billing_ref: record.externalBillingRef,
    metadata: record.metadata,
    issued_at: record.issuedAt,
    terminated_at: record.terminatedAt,
    last_transfer_on: record.lastTransferOn,
    owner_sequence: record.ownerSequence,
    ledger_length: record.ledger.length,
    ledger_head: hex(record.ledger.hash),
  };
}

const EVENTS = `
  insert into licensing.ledger_events overriding system value
  select * from json_populate_recordset(null::licensing.ledger_events, $1)`;

function eventRows({ license, eventId }: Numbered) {
  return license.entries.map((entry) => ({
    id: eventId(entry.position),
    license_id: license.record.id,
    position: entry.position,
    event: entry.event,
    at: entry.at,
    actor: entry.actor,
    customer_id: entry.customerId,
    data: entry.data,
    previous_hash: hex(entry.previousHash),
    hash: hex(entry.hash),
  }));
}

const SPANS = `
  insert into licensing.ownership_spans (license_id, contract_id, days, opened_by, closed_by)
  select license_id, contract_id, days, opened_by, closed_by
    from json_populate_recordset(null::licensing.ownership_spans, $1)`;

function spanRows({ license, eventId }: Numbered) {
  return license.spans.map(({ contractId, firstDay, lastDay, openedBy, closedBy }) => ({
    license_id: license.record.id,
    contract_id: contractId,
    days: `[${firstDay.toString()},${lastDay?.plusDays(1).toString() ?? ''})`,
    opened_by: eventId(openedBy),
    closed_by: closedBy === null ? null : eventId(closedBy),
  }));
}

const DRAWS = `
  insert into licensing.pack_draws select * from json_populate_recordset(null::licensing.pack_draws, $1)`;

function drawRows({ license, eventId }: Numbered) {
  return license.draws.map(({ contractId, drawnOn, drawnBy }) => ({
    contract_id: contractId,
    license_id: license.record.id,
    drawn_on: drawnOn,
    event_id: eventId(drawnBy),
  }));
}

const TRANSFER_COLUMNS = `id, license_id, from_partner_id, from_customer_id, from_contract_id, to_partner_id,
  to_customer_id, to_contract_id, reason, effective_date, metadata_sync, owner_sequence, created_by, created_at`;

const TRANSFERS = `
  with given as (select * from json_populate_recordset(null::licensing.transfers, $1)), transfer as (
    insert into licensing.transfers (${TRANSFER_COLUMNS}) select ${TRANSFER_COLUMNS} from given
  )
  insert into licensing.transfer_index (ancestor_id, created_at, transfer_id)
  select distinct s.ancestor_id, given.created_at, given.id
    from given join partners.subtrees s on s.descendant_id in (given.from_partner_id, given.to_partner_id)`;

function transferRows({ record, transfers }: ImportedLicense, syncAt: Date | null) {
  const told = syncAt === null || record.state === 'terminated';
  return transfers.map((transfer) => ({
    id: transfer.id,
    license_id: transfer.licenseId,
    from_partner_id: transfer.fromPartnerId,
    from_customer_id: transfer.fromCustomerId,
    from_contract_id: transfer.fromContractId,
    to_partner_id: transfer.toPartnerId,
    to_customer_id: transfer.toCustomerId,
    to_contract_id: transfer.toContractId,
    reason: transfer.reason,
    effective_date: transfer.effectiveDate,
    metadata_sync: told ? 'synced' : 'pending',
    owner_sequence: transfer.ownerSequence,
    created_by: transfer.createdBy,
    created_at: transfer.createdAt,
  }));
}

const SYNCS = `
  insert into licensing.upstream_syncs select * from json_populate_recordset(null::licensing.upstream_syncs, $1)`;
