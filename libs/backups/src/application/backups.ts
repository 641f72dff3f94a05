import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { AuditLog, type AuditAction, type AuditActor } from '#libs/panel-auth';
import type { OrganisationScope } from '#libs/services';
import { Backup } from '../domain/backup.js';
import { BackupStateRefuses } from '../domain/backup-errors.js';
import type { BackupTrigger } from '../domain/backup-state.js';
import { BackupJournal } from './backup-journal.js';
import { LogKeeping } from './pitr/log-keeping.js';
import { assertHasData, DatabaseServices } from './database-services.js';
import type { BackupFilter, BackupPage } from './ports/backup-repository.js';
import { StoredBackupChecks } from './stored-backup-checks.js';
import { StoredCopies } from './stored-copies.js';
import { Retention } from './backing-up/retention.js';

const LOST = 'What was stored of this backup is lost: it can be neither downloaded nor restored.';

/** A backup with its content, to be sent to a client. */
export interface BackupDownload {
  readonly backup: Backup;
  readonly content: Readable;
}

/** The actions of users on backups. Making, verifying and restoring them is left to workers. */
@Injectable()
export class Backups {
  constructor(
    private readonly journal: BackupJournal,
    private readonly services: DatabaseServices,
    private readonly copies: StoredCopies,
    private readonly checks: StoredBackupChecks,
    private readonly retention: Retention,
    private readonly logs: LogKeeping,
    private readonly audit: AuditLog,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Queues a backup.
   * @throws NotFound; NotBackedUp; BackupStateRefuses unless running; BackupInProgress; RestoreInProgress
   */
  async create(scope: OrganisationScope, serviceId: Uuid, trigger: BackupTrigger, actor: AuditActor): Promise<Backup> {
    const found = await this.services.find(scope, serviceId);
    const { view, origin, method } = found;
    assertHasData(found);
    if (view.status !== 'running') throw new BackupStateRefuses('Only a service that runs can be backed up.');
    const { time, transactions } = this.journal;
    const backup = Backup.queue({
      id: this.randomness.uuid(),
      serviceId,
      customerId: view.customerId,
      kind: method.kind,
      trigger,
      origin,
      createdAt: await time.shared(),
    });
    await transactions.run(async () => {
      await this.journal.insert(backup);
      await this.note('backup.created', backup, actor);
    });
    return backup;
  }

  /** Works for deleted services too. @throws NotFound when neither the service nor a backup of it exists */
  async list(
    scope: OrganisationScope,
    serviceId: Uuid,
    filter: BackupFilter,
    slice: { readonly offset: number; readonly limit: number },
  ): Promise<BackupPage> {
    const page = await this.journal.backups.list(scope, serviceId, filter, slice);
    if (page.total === 0) await this.services.assertExists(scope, serviceId);
    return page;
  }

  /** @throws NotFound */
  async get(scope: OrganisationScope, id: Uuid): Promise<Backup> {
    const backup = await this.journal.backups.get(scope, id);
    if (!backup) throw new NotFound();
    return backup;
  }

  /** Queues a trial restore of the backup. @throws NotFound; BackupStateRefuses */
  verify(scope: OrganisationScope, id: Uuid): Promise<Backup> {
    return this.change(scope, id, (backup) => backup.askForProof());
  }

  /**
   * @param sealed true: the encrypted object as stored, readable with an age key; false: the decrypted dump
   * @throws NotFound; BackupStateRefuses; BackupDestinationUnusable
   */
  async download(scope: OrganisationScope, id: Uuid, sealed: boolean, actor: AuditActor): Promise<BackupDownload> {
    const backup = await this.get(scope, id);
    if (backup.state.status !== 'succeeded')
      throw new BackupStateRefuses('Only a backup that has succeeded can be downloaded.');
    await this.journal.transactions.run(() => this.note('backup.downloaded', backup, actor));
    const read = sealed ? this.copies.sealed(backup) : this.copies.clear(backup);
    const content = await read.catch(async (error: unknown) => {
      throw (await this.checks.afterFailure(backup)) ? new BackupStateRefuses(LOST) : error;
    });
    content.once('error', (error: NodeJS.ErrnoException) => {
      // A client that goes away says nothing of what is stored.
      const isGone = error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.name === 'AbortError';
      if (!isGone) void this.checks.afterFailure(backup).catch(() => undefined);
    });
    return { backup, content };
  }

  /**
   * Removes the backup from the store and marks its record as expired.
   * @throws NotFound; BackupStateRefuses while the backup is queued, being made or being verified
   */
  async remove(scope: OrganisationScope, id: Uuid, actor: AuditActor): Promise<void> {
    const backup = await this.get(scope, id);
    const { status, verification } = backup.state;
    if (status === 'queued' || status === 'running' || verification?.status === 'running')
      throw new BackupStateRefuses('A worker is at work on this backup.');
    const isCopy = backup.state.kind === 'base';
    if (isCopy && status === 'succeeded') await this.logs.assertNotNeeded(backup);
    await this.journal.transactions.run(() => this.note('backup.deleted', backup, actor));
    if ((await this.retention.remove(id)) && isCopy) await this.logs.forget(id);
  }

  /** Total size in the store of a service's backups, in bytes. */
  storedBytes(scope: OrganisationScope, serviceId: Uuid): Promise<number> {
    return this.journal.backups.storedBytes(scope, serviceId);
  }

  /**
   * Removes the backups and the archived log of a service that is being deleted. A backup that is being verified stays
   * until it expires.
   */
  async removeAllOf(scope: OrganisationScope, serviceId: Uuid, actor: AuditActor): Promise<void> {
    const { backups } = await this.journal.backups.list(
      scope,
      serviceId,
      { status: 'succeeded' },
      { offset: 0, limit: 10_000 },
    );
    for (const backup of backups) {
      if (backup.state.kind === 'base' || backup.state.verification?.status === 'running') continue;
      await this.remove(scope, backup.id, actor);
    }
    await this.logs.discard(serviceId);
  }

  private change(scope: OrganisationScope, id: Uuid, change: (backup: Backup) => void): Promise<Backup> {
    return this.journal.transactions.run(async () => {
      const backup = await this.journal.backups.getForUpdate(scope, id);
      if (!backup) throw new NotFound();
      change(backup);
      await this.journal.update(backup);
      return backup;
    });
  }

  private note(action: AuditAction, { state }: Backup, actor: AuditActor): Promise<void> {
    const detail = { serviceId: state.serviceId, trigger: state.trigger };
    return this.audit.record({ action, actor, organisationId: state.customerId, target: state.id, detail });
  }
}
