import { Injectable } from '@nestjs/common';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '#libs/services';
import { Backup } from '../../domain/backup.js';
import { BackupFailed } from '../../domain/backup-errors.js';
import { awaitingTrial, failedAgain, isPaused, NO_FAILURES } from '../../domain/pitr/copy-attempts.js';
import { reliable } from '../../domain/pitr/recovery-window.js';
import { BackupJournal } from '../backup-journal.js';
import { DatabaseServices } from '../database-services.js';
import { failureText } from '../failure-text.js';
import type { DatabaseTarget } from '../programs/database-target.js';
import { WalRepository, type WalStream } from '../ports/wal-repository.js';
import { BackupSettings } from '../settings.js';
import { DatabaseLogs } from './database-logs.js';
import { RecoveryEvents } from './recovery-events.js';
import { baseKey, StoredLog } from './stored-log.js';

const DAY_MS = 86_400_000;

export type RunningServer = DatabaseTarget & { readonly imageId: string };

/** The base backup failed. The reason has been stored and published already, so the caller must not report it again. */
export class CopyFailed extends BackupFailed {}

/** Takes base backups, which the log is played onto. After each failure the next attempt waits longer. */
@Injectable()
export class BaseCopies {
  constructor(
    private readonly streams: WalRepository,
    private readonly journal: BackupJournal,
    private readonly services: DatabaseServices,
    private readonly logs: DatabaseLogs,
    private readonly stored: StoredLog,
    private readonly events: RecoveryEvents,
    private readonly settings: BackupSettings,
    private readonly randomness: Randomness,
  ) {}

  async arePaused(serviceId: Uuid): Promise<boolean> {
    return isPaused(await this.streams.attempts(serviceId), await this.journal.time.shared());
  }

  /** Takes a base backup every day, so that a restore plays little of the log. The log is shipped meanwhile. */
  async takeIfDue(serviceId: Uuid, signal: AbortSignal): Promise<void> {
    await this.streams.exclusively(serviceId, 'copy', async () => {
      const stream = await this.streams.stream(serviceId);
      if (!stream || stream.needsBase || !(await this.isDue(serviceId)) || (await this.services.isAtRest(serviceId)))
        return;
      await this.take(stream, await this.services.target(serviceId, signal), signal);
    });
  }

  /**
   * Takes the first base backup of a recovery window.
   * @returns the first segment of the log that it needs; null when another worker is taking one
   * @throws CopyFailed
   */
  async takeFirst(stream: WalStream, target: RunningServer, signal: AbortSignal): Promise<string | null> {
    let firstSegment: string | null = null;
    await this.streams.exclusively(stream.serviceId, 'copy', async () => {
      firstSegment = await this.take(stream, target, signal);
    });
    return firstSegment;
  }

  /** Counts a copy that is lost or failed its trial as a failure: another one is taken after a pause. */
  async distrust(serviceId: Uuid, reason: string): Promise<void> {
    const stream = await this.streams.stream(serviceId);
    if (stream) await this.note(stream, reason);
  }

  /** Forgets the failures if this is the newest copy. Called when its trial succeeded or was skipped. */
  async trust(serviceId: Uuid, copyId: Uuid): Promise<void> {
    const { reason, failedAt } = await this.streams.attempts(serviceId);
    const newest = (await this.streams.bases(serviceId)).at(-1);
    if (reason === null || failedAt !== null || newest?.id !== copyId) return;
    await this.streams.saveAttempts(serviceId, NO_FAILURES);
    const stream = await this.streams.stream(serviceId);
    if (stream) await this.events.tell(stream);
  }

  private async isDue(serviceId: Uuid): Promise<boolean> {
    const attempts = await this.streams.attempts(serviceId);
    if (attempts.failedAt !== null) return !isPaused(attempts, await this.journal.time.shared());
    const newest = reliable(await this.streams.bases(serviceId)).at(-1);
    return newest === undefined || newest.endedAt.getTime() < (await this.journal.time.shared()).getTime() - DAY_MS;
  }

  private async take(stream: WalStream, target: RunningServer, signal: AbortSignal): Promise<string> {
    const { serviceId } = stream;
    // The time is limited because statements in the database may have to wait for the copy.
    const until = AbortSignal.any([signal, AbortSignal.timeout(this.settings.timeoutMs)]);
    const before = await this.streams.attempts(serviceId);
    try {
      const firstSegment = await this.copy(stream, target, until);
      await this.streams.saveAttempts(serviceId, awaitingTrial(before));
      if (before.reason !== null && !stream.needsBase) await this.events.tell(stream);
      return firstSegment;
    } catch (error) {
      if (signal.aborted) throw error;
      const reason = failureText(error, signal);
      await this.note((await this.streams.stream(serviceId)) ?? stream, reason);
      throw new CopyFailed(reason, { cause: error });
    }
  }

  private async note(stream: WalStream, reason: string): Promise<void> {
    const before = await this.streams.attempts(stream.serviceId);
    await this.streams.saveAttempts(stream.serviceId, failedAgain(before, reason, await this.journal.time.shared()));
    await this.events.tell(stream);
  }

  /** @returns the first segment of the log that the copy needs */
  private async copy(stream: WalStream, target: RunningServer, signal: AbortSignal): Promise<string> {
    const { serviceId, customerId } = stream;
    const log = this.logs.of(target);
    const { origin, service } = await this.services.find(OrganisationScope.all, serviceId);
    const startedAt = await this.journal.time.shared();
    const copy = await log.copy(target, stream, await this.lastName(serviceId), signal);
    try {
      const id = this.randomness.uuid();
      const storeKey = baseKey(serviceId, id, log.copyFormat);
      const file = await this.stored.put(storeKey, copy.data, customerId);
      const endedAt = await copy.endedAt(signal);
      const { firstSegment } = copy;
      const record = Backup.copied({
        ...{ id, serviceId, customerId, storeKey, startedAt },
        origin: { ...origin, imageId: target.imageId },
        databaseVersion: service.serverVersion,
        sizeBytes: file.bytes,
        sha256: file.sha256,
        finishedAt: await this.journal.time.shared(),
      });
      await this.journal.transactions.run(async () => {
        await this.streams.addBase(serviceId, { id, storeKey, firstSegment, endedAt, ...file });
        await this.journal.insert(record);
      });
      return firstSegment;
    } finally {
      await copy.close();
    }
  }

  private async lastName(serviceId: Uuid): Promise<string | null> {
    const [segments, bases] = [await this.streams.segments(serviceId), await this.streams.bases(serviceId)];
    const names = [...segments.map(({ name }) => name), ...bases.map(({ firstSegment }) => firstSegment)];
    return names.sort().at(-1) ?? null;
  }
}
