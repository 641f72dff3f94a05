import { Injectable } from '@nestjs/common';
import { Invalid } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { Clock } from '#kernel/time/clock';
import { Transactions } from '#kernel/transactions';
import { AuditLog, Directory, type AuditActor } from '#libs/panel-auth';
import { OrganisationKeys } from './ports/organisation-keys.js';

/** The public key that an organisation's backups are encrypted for, in addition to the panel's own. */
@Injectable()
export class OrganisationBackupKeys {
  constructor(
    private readonly keys: OrganisationKeys,
    private readonly directory: Directory,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound when there is no such organisation */
  async find(organisationId: Uuid): Promise<string | null> {
    await this.directory.organisation(organisationId);
    return this.keys.find(organisationId);
  }

  /**
   * Applies to future backups only; existing ones are not encrypted again.
   * @param publicKey null removes the key
   * @throws Invalid when the text is not a public age key; NotFound when there is no such organisation
   */
  async change(organisationId: Uuid, publicKey: string | null, actor: AuditActor): Promise<void> {
    if (publicKey !== null && !this.keys.accepts(publicKey))
      throw Invalid.field('publicKey', 'must be a public key of age: age1 and 58 further characters, from age-keygen');
    await this.transactions.run(async () => {
      await this.directory.organisation(organisationId);
      await this.keys.save(organisationId, publicKey, this.clock.now());
      const detail = { publicKey };
      await this.audit.record({ action: 'backup_key.set', actor, organisationId, target: organisationId, detail });
    });
  }
}
