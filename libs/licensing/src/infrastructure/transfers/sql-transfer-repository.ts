import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
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

  async tookPastDays(
    licenseId: Uuid,
    { partnerId, otherThanContractId }: { partnerId: Uuid; otherThanContractId: Uuid },
  ): Promise<boolean> {
    const rows: unknown[] = await this.transactions.reader.query(
      `select 1 from licensing.transfers
        where license_id = $1 and from_partner_id = $2 and from_contract_id <> $3
          and effective_date < (created_at at time zone 'UTC')::date limit 1`,
      [licenseId, partnerId, otherThanContractId],
    );
    return rows.length > 0;
  }

  async insert(transfer: NewTransfer, change: LicenseChange): Promise<Transfer> {
    const number = await this.record(transfer, change.after.ownerSequence);
    if (transfer.fromPartnerId !== transfer.toPartnerId) await this.moveInLists(change);
    await this.syncs.request(transfer.licenseId, transfer.createdAt);
    return { ...transfer, number, licenseNumber: change.after.number, metadataSync: 'pending' };
  }

  private async record(transfer: NewTransfer, ownerSequence: number): Promise<number> {
    const rows: { number: string }[] = await this.transactions.writer.query(
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

  private async moveInLists({ before, after }: LicenseChange): Promise<void> {
    await this.transactions.writer.query(
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
