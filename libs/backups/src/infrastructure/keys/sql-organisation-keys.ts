import type { Uuid } from '#kernel/crypto/uuid';
import type { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { BackupRecipients } from '../../application/ports/backup-recipients.js';
import { OrganisationKeys } from '../../application/ports/organisation-keys.js';
import { isAgeRecipient } from '../sealing/age-key.js';

export class SqlOrganisationKeys extends OrganisationKeys implements BackupRecipients {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async find(organisationId: Uuid): Promise<string | null> {
    const [row]: { recipient: string }[] = await this.transactions.reader.query(
      'select recipient from backups.organisation_keys where organisation_id = $1',
      [organisationId],
    );
    return row?.recipient ?? null;
  }

  async save(organisationId: Uuid, recipient: string | null, at: Date): Promise<void> {
    if (recipient === null)
      await this.transactions.writer.query('delete from backups.organisation_keys where organisation_id = $1', [
        organisationId,
      ]);
    else
      await this.transactions.writer.query(
        `insert into backups.organisation_keys (organisation_id, recipient, updated_at) values ($1, $2, $3)
         on conflict (organisation_id) do update set recipient = excluded.recipient, updated_at = excluded.updated_at`,
        [organisationId, recipient, at],
      );
  }

  accepts(recipient: string): boolean {
    return isAgeRecipient(recipient);
  }

  async of(organisationId: Uuid | null): Promise<readonly string[]> {
    const own = organisationId === null ? null : await this.find(organisationId);
    return own === null ? [] : [own];
  }
}
