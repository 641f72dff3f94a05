import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope, ServiceControl, ServiceQueries, THE_PANEL } from '#libs/services';
import { BackupFailed, BackupLeaseLost } from '../../domain/backup-errors.js';
import type { Restore } from '../../domain/restore.js';
import { DatabaseServices } from '../database-services.js';
import { failureText } from '../failure-text.js';
import { whileLeased } from '../kept-lease.js';
import { PointInTime } from '../pitr/point-in-time.js';
import { BackupRepository } from '../ports/backup-repository.js';
import { BackupSettings } from '../settings.js';
import { StoredBackupChecks } from '../stored-backup-checks.js';
import { StoredCopies } from '../stored-copies.js';
import { RestoreJournal } from './restore-journal.js';
import { versionDefect } from './version-fit.js';

const EVERYBODY = OrganisationScope.all;
const TIDY_MS = 120_000;
const TIDY_PAUSE_MS = 2_000;

/**
 * Carries out restores. A failed restore leaves the data of an existing service unchanged and removes a new service.
 */
@Injectable()
export class RestoreRunner {
  constructor(
    private readonly journal: RestoreJournal,
    private readonly backups: BackupRepository,
    private readonly copies: StoredCopies,
    private readonly checks: StoredBackupChecks,
    private readonly services: DatabaseServices,
    private readonly queries: ServiceQueries,
    private readonly control: ServiceControl,
    private readonly history: PointInTime,
    private readonly settings: BackupSettings,
    private readonly randomness: Randomness,
  ) {}

  /** Claims a restore that can start. @returns the work to run; null when there is none */
  async next(signal: AbortSignal): Promise<(() => Promise<void>) | null> {
    const worker = this.randomness.uuid();
    const { leaseMs, restoresAtOnce } = this.settings;
    const restore = await this.journal.restores.claim(worker, leaseMs, restoresAtOnce);
    return restore && (() => this.run(restore, worker, signal));
  }

  private async run(restore: Restore, worker: Uuid, signal: AbortSignal): Promise<void> {
    const { leaseMs, timeoutMs } = this.settings;
    const { restores, time } = this.journal;
    try {
      const wasInterrupted = restore.state.status === 'running';
      restore.begin(await time.shared());
      await this.journal.updateHeld(restore, worker);
      await whileLeased(restores, { id: restore.id, worker, leaseMs }, { signal, timeoutMs }, async (until) => {
        if (wasInterrupted) await this.afterInterruption(restore, until);
        await this.carryOut(restore, until).catch(async (error: unknown) => {
          const loss = until.aborted ? null : await this.lossOf(restore);
          throw loss === null ? error : new BackupFailed(loss);
        });
      });
      restore.succeed(await time.shared());
      await this.journal.updateHeld(restore, worker);
    } catch (error) {
      if (error instanceof BackupLeaseLost) return;
      // This worker is shutting down. The lease runs out by itself, and another worker takes the restore over.
      if (signal.aborted) return;
      restore.fail(failureText(error, signal), await time.shared());
      // In one transaction: nobody returns to a restore that has failed to remove its half-filled service.
      await this.journal.transactions.run(async () => {
        await this.journal.updateHeld(restore, worker);
        if (restore.state.into === 'new') await this.removeTarget(restore);
      });
      if (restore.state.into === 'same') await this.tidyTarget(restore, signal);
    } finally {
      if (!signal.aborted) await restores.release(restore.id, worker);
    }
  }

  /** @throws BackupFailed when going on could overwrite data that were written to the service since */
  private async afterInterruption({ state }: Restore, signal: AbortSignal): Promise<void> {
    await this.services.wake(state.targetId, signal);
    const { method } = await this.services.find(EVERYBODY, state.targetId);
    await method.tidy(await this.services.target(state.targetId, signal), signal);
    if (state.into === 'same')
      throw new BackupFailed(
        'The worker ended in the middle of the restore. The data are whole: those of the backup if they had been ' +
          'replaced already, else those from before, which the pre-restore backup holds as well.',
      );
  }

  private async carryOut({ state }: Restore, signal: AbortSignal): Promise<void> {
    const { backupId, recoverTo, serviceId } = state;
    const backup = backupId === null ? null : await this.backups.get(EVERYBODY, backupId);
    backup?.assertRestorable();
    await this.assertReady(state);
    if (recoverTo !== null)
      return this.history.recover(serviceId, recoverTo, await this.services.target(state.targetId, signal), signal);
    if (!backup) throw new NotFound();
    const { method } = this.services.ofOrigin(backup.state.origin);
    const { service } = await this.services.find(EVERYBODY, state.targetId);
    // The service may have been deployed with another version since the restore was requested.
    const defect = versionDefect(method, backup, service.serverVersion);
    if (defect !== null) throw new BackupFailed(defect);
    const target = await this.services.target(state.targetId, signal);
    const data = await this.copies.clear(backup);
    await method.restore(target, data, backup.state.inventory ?? { objects: {}, rows: null }, signal);
  }

  /** @throws BackupFailed when the deployment or the backup that the restore waited for has failed */
  private async assertReady({ deploymentId, safetyBackupId }: Restore['state']): Promise<void> {
    if (deploymentId !== null) {
      const deployment = await this.queries.deployment(EVERYBODY, deploymentId);
      if (deployment?.status !== 'succeeded')
        throw new BackupFailed(`The new service could not be deployed: ${deployment?.errorMessage ?? 'it is gone'}`);
    }
    if (safetyBackupId !== null) {
      const safety = await this.backups.get(EVERYBODY, safetyBackupId);
      if (safety?.state.status !== 'succeeded')
        throw new BackupFailed(
          `Nothing was changed: the backup before the restore failed. ${safety?.state.errorMessage ?? ''}`.trim(),
        );
    }
  }

  /** Whether the stored backup is to blame. */
  private async lossOf({ state: { backupId } }: Restore): Promise<string | null> {
    const backup = backupId === null ? null : await this.backups.get(EVERYBODY, backupId);
    return backup?.state.status === 'succeeded' ? this.checks.afterFailure(backup) : null;
  }

  /**
   * Removes what the failed restore left behind. Retries, since the container may have been killed and must start
   * first.
   */
  private async tidyTarget({ state }: Restore, signal: AbortSignal): Promise<void> {
    for (const until = performance.now() + TIDY_MS; performance.now() < until;) {
      try {
        const { method } = await this.services.find(EVERYBODY, state.targetId);
        return await method.tidy(await this.services.target(state.targetId, signal), signal);
      } catch (error) {
        if (error instanceof NotFound || signal.aborted) return;
        await sleep(TIDY_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async removeTarget({ state }: Restore): Promise<void> {
    const reason = 'The restore into it failed.';
    await this.control.act(EVERYBODY, state.targetId, 'remove', THE_PANEL, reason).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
    });
  }
}
