import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { TransferRepository, type NewTransfer } from '../../application/ports/transfer-repository.js';
import { UpstreamSyncs } from '../../application/ports/upstream-syncs.js';
import type { LicenseChange } from '../../domain/license.js';
import type { Transfer } from '../../domain/transfer.js';
import { toTransfer, TRANSFER_COLUMNS, type TransferRow } from './transfer.row.js';

@Injectable()
export class SqlTransferRepository extends TransferRepository {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly syncs: UpstreamSyncs,
  ) {
    super();
  }

  async find(id: Uuid): Promise<Transfer | null> {
    const rows: TransferRow[] = await this.transactions.reader.query(
      `select ${TRANSFER_COLUMNS} from licensing.transfers t join licensing.licenses l on l.id = t.license_id
        where t.id = $1`,
      [id],
    );
    return rows[0] ? toTransfer(rows[0]) : null;
  }

  async insert(
    unit: UnitOfWork,
    transfer: NewTransfer,
    change: LicenseChange,
    eventIds: { readonly out: number; readonly in: number },
    drawsFromPack: boolean,
  ): Promise<Transfer> {
    const number = await this.record(unit, transfer, change.after.ownerSequence);
    await this.moveOwnership(unit, transfer, eventIds, drawsFromPack);
    if (transfer.fromPartnerId !== transfer.toPartnerId) await this.moveInLists(unit, change);
    await this.syncs.request(unit, transfer.licenseId, transfer.createdAt);
    return { ...transfer, number, licenseNumber: change.after.number, metadataSync: 'pending' };
  }

  private async record(unit: UnitOfWork, transfer: NewTransfer, ownerSequence: number): Promise<number> {
    const rows: { number: string }[] = await this.transactions.writerOf(unit).query(
      `with transfer as (
         insert into licensing.transfers
           (id, license_id, from_partner_id, from_customer_id, from_contract_id, to_partner_id, to_customer_id,
            to_contract_id, reason, effective_date, metadata_sync, owner_sequence, created_by, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'pending', $11, $12, $13)
         returning number
       ), place as (
         insert into licensing.transfer_index (ancestor_id, created_at, transfer_id)
         select distinct s.ancestor_id, $13::timestamptz, $1::uuid
           from partners.subtrees s where s.descendant_id in ($3::uuid, $6::uuid)
       )
       select number from transfer`,
      [
        transfer.id,
        transfer.licenseId,
        transfer.fromPartnerId,
        transfer.fromCustomerId,
        transfer.fromContractId,
        transfer.toPartnerId,
        transfer.toCustomerId,
        transfer.toContractId,
        transfer.reason,
        transfer.effectiveDate.toString(),
        ownerSequence,
        transfer.createdBy,
        transfer.createdAt,
      ],
    );
    return Number(rows[0]?.number);
  }

  /** A stay that would have no day is not stored: of two transfers on one day the last recorded decides. */
  private async moveOwnership(
    unit: UnitOfWork,
    { licenseId, toContractId, effectiveDate }: NewTransfer,
    eventIds: { readonly out: number; readonly in: number },
    drawsFromPack: boolean,
  ): Promise<void> {
    const writer = this.transactions.writerOf(unit);
    const day = effectiveDate.toString();
    await writer.query(
      `with gone as (
         delete from licensing.ownership_spans where license_id = $1 and upper_inf(days) and lower(days) = $2
       )
       update licensing.ownership_spans set days = daterange(lower(days), $2), closed_by = $3
        where license_id = $1 and upper_inf(days) and lower(days) < $2`,
      [licenseId, day, eventIds.out],
    );
    await writer.query(
      `insert into licensing.ownership_spans (license_id, contract_id, days, opened_by)
       values ($1, $2, daterange($3, null), $4)`,
      [licenseId, toContractId, day, eventIds.in],
    );
    if (!drawsFromPack) return;
    await writer.query(
      `insert into licensing.pack_draws (contract_id, license_id, drawn_on, event_id)
       values ($1, $2, $3, $4) on conflict do nothing`,
      [toContractId, licenseId, day, eventIds.in],
    );
  }

  private async moveInLists(unit: UnitOfWork, { before, after }: LicenseChange): Promise<void> {
    await this.transactions.writerOf(unit).query(
      `with lost as (
         delete from licensing.subtree_index i using partners.subtrees s
          where s.descendant_id = $1 and i.ancestor_id = s.ancestor_id and i.issued_at = $3 and i.license_id = $4
            and not exists (select 1 from partners.subtrees kept
                             where kept.descendant_id = $2 and kept.ancestor_id = s.ancestor_id)
       )
       insert into licensing.subtree_index (ancestor_id, issued_at, license_id)
       select s.ancestor_id, $3, $4 from partners.subtrees s where s.descendant_id = $2
       on conflict do nothing`,
      [before.partnerId, after.partnerId, after.issuedAt, after.id],
    );
  }
}
