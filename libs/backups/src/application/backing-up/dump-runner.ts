import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Randomness } from '#kernel/crypto/randomness';
import type { Backup, FinishedDump } from '../../domain/backup.js';
import { reasonToSkipProof } from '../../domain/backup-policy.js';
import { BackupFailed, BackupLeaseLost } from '../../domain/backup-errors.js';
import { BackupJournal } from '../backup-journal.js';
import { DatabaseServices } from '../database-services.js';
import { failureText } from '../failure-text.js';
import { whileLeased } from '../kept-lease.js';
import { BackupRecipients } from '../ports/backup-recipients.js';
import { BackupSealing } from '../ports/backup-sealing.js';
import { BackupStore } from '../ports/backup-store.js';
import { BackupSettings } from '../settings.js';
import { Policies } from '../policies.js';
import { Retention } from './retention.js';

/** Makes backups: dumps the database with its own tools, encrypts the stream and writes it to the store. */
@Injectable()
export class DumpRunner {
  constructor(
    private readonly journal: BackupJournal,
    private readonly services: DatabaseServices,
    private readonly store: BackupStore,
    private readonly sealing: BackupSealing,
    private readonly recipients: BackupRecipients,
    private readonly policies: Policies,
    private readonly retention: Retention,
    private readonly settings: BackupSettings,
    private readonly randomness: Randomness,
  ) {}

  /** Claims a queued backup, or one whose worker died. @returns the work to run; null when there is none */
  async next(signal: AbortSignal): Promise<(() => Promise<void>) | null> {
    const worker = this.randomness.uuid();
    const { leaseMs, dumpsAtOnce } = this.settings;
    const backup = await this.journal.backups.claim('dump', worker, leaseMs, dumpsAtOnce);
    return backup && (() => this.run(backup, worker, signal));
  }

  private async run(backup: Backup, worker: Uuid, signal: AbortSignal): Promise<void> {
    const { leaseMs, timeoutMs } = this.settings;
    const { backups, time } = this.journal;
    try {
      if (backup.state.status === 'running') throw new BackupFailed('The worker ended in the middle of the backup.');
      backup.begin(await time.shared());
      await this.journal.updateHeld(backup, worker);
      const lease = { id: backup.id, worker, leaseMs };
      const dump = await whileLeased(backups, lease, { signal, timeoutMs }, (until) => this.dump(backup, until));
      const { serviceId } = backup.state;
      const { verify } = await this.policies.of(serviceId);
      const skipped = reasonToSkipProof(verify, await this.retention.lastProofAt(serviceId), await time.shared());
      backup.succeed(dump, await time.shared(), skipped);
      await this.journal.updateHeld(backup, worker);
    } catch (error) {
      // The stored part is useless even when another worker has taken over: that worker marks the backup as failed.
      await this.store.remove(backup.state.storeKey).catch(() => undefined);
      if (error instanceof BackupLeaseLost) return;
      backup.fail(failureText(error, signal), await time.shared());
      await this.journal.updateHeld(backup, worker);
    } finally {
      await backups.release(backup.id, worker);
    }
    await this.retention.apply(backup.state.serviceId);
  }

  private async dump(backup: Backup, signal: AbortSignal): Promise<FinishedDump> {
    const { serviceId, customerId, storeKey } = backup.state;
    const { method } = this.services.ofOrigin(backup.state.origin);
    const target = await this.services.target(serviceId, signal);
    const recipients = await this.recipients.of(customerId);
    const dump = await method.dump(target, signal);
    try {
      const stop = () => dump.data.destroy(signal.reason as Error);
      signal.addEventListener('abort', stop, { once: true });
      const stored = await this.store.put(storeKey, this.sealing.seal(dump.data, recipients)).finally(() => {
        signal.removeEventListener('abort', stop);
      });
      const details = await dump.details();
      return { ...details, imageId: target.imageId, sizeBytes: stored.bytes, sha256: stored.sha256 };
    } finally {
      dump.data.destroy();
      await dump.close();
    }
  }
}
