import { Injectable } from '@nestjs/common';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Backup } from '../../domain/backup.js';
import { BackupLeaseLost } from '../../domain/backup-errors.js';
import type { Inventory } from '../../domain/inventory.js';
import { BackupJournal } from '../backup-journal.js';
import { DatabaseServices } from '../database-services.js';
import { failureText, isCircumstance } from '../failure-text.js';
import { whileLeased } from '../kept-lease.js';
import { BaseProofs } from '../pitr/base-proofs.js';
import { StorageFigures } from '../ports/storage-figures.js';
import { BackupSettings } from '../settings.js';
import { StoredCopies } from '../stored-copies.js';
import { Retention } from './retention.js';
import { TrialServers, TrialImpossible } from './trial-servers.js';

/** On the whole installation: a trial server takes memory from the services. */
const PROOFS_AT_ONCE = 1;

/** Verifies backups: restores each into a trial server, exactly as a real restore does, and compares the result. */
@Injectable()
export class ProofRunner {
  constructor(
    private readonly journal: BackupJournal,
    private readonly services: DatabaseServices,
    private readonly copies: StoredCopies,
    private readonly trials: TrialServers,
    private readonly bases: BaseProofs,
    private readonly retention: Retention,
    private readonly figures: StorageFigures,
    private readonly settings: BackupSettings,
    private readonly randomness: Randomness,
  ) {}

  /** Claims a backup that has to be verified. @returns the work to run; null when there is none */
  async next(signal: AbortSignal): Promise<(() => Promise<void>) | null> {
    const worker = this.randomness.uuid();
    const backup = await this.journal.backups.claim('proof', worker, this.settings.leaseMs, PROOFS_AT_ONCE);
    return backup && (() => this.run(backup, worker, signal));
  }

  private async run(backup: Backup, worker: Uuid, signal: AbortSignal): Promise<void> {
    const { backups } = this.journal;
    try {
      if (backup.state.verification?.status === 'running') {
        // The worker that verified it has died: the verification starts again from the beginning.
        backup.proofInterrupted();
        await this.journal.updateHeld(backup, worker);
        return;
      }
      backup.beginProof();
      await this.journal.updateHeld(backup, worker);
      await this.decide(backup, worker, signal);
      await this.journal.updateHeld(backup, worker);
    } catch (error) {
      if (error instanceof BackupLeaseLost) return;
      throw error;
    } finally {
      await backups.release(backup.id, worker);
    }
    if (backup.state.kind === 'base') await this.bases.concluded(backup);
    else await this.retention.apply(backup.state.serviceId);
  }

  private async decide(backup: Backup, worker: Uuid, signal: AbortSignal): Promise<void> {
    const { leaseMs, timeoutMs } = this.settings;
    const since = performance.now();
    const seconds = () => Math.round(performance.now() - since) / 1000;
    try {
      const lease = { id: backup.id, worker, leaseMs };
      const found = await whileLeased(this.journal.backups, lease, { signal, timeoutMs }, (until) =>
        this.prove(backup, until),
      );
      backup.prove(found, seconds(), await this.journal.time.shared());
    } catch (error) {
      if (error instanceof BackupLeaseLost) throw error;
      // The worker is shutting down, which says nothing about the backup.
      if (signal.aborted) return backup.proofInterrupted();
      if (error instanceof TrialImpossible) return backup.skipProof(error.message);
      const loss = await this.copies.defect(backup).catch(() => null);
      if (loss) {
        this.figures.lost(1);
        return backup.lose(loss, await this.journal.time.shared());
      }
      if (isCircumstance(error)) return backup.skipProof(failureText(error, signal));
      backup.disprove(failureText(error, signal), seconds());
    }
  }

  private async prove(backup: Backup, signal: AbortSignal): Promise<Inventory> {
    if (backup.state.kind === 'base') return this.bases.prove(backup, signal);
    const { method } = this.services.ofOrigin(backup.state.origin);
    const expected = backup.state.inventory ?? { objects: {}, rows: null };
    return this.trials.use(backup, signal, async (target) => {
      const data = await this.copies.clear(backup);
      return method.restore(target, data, expected, signal);
    });
  }
}
