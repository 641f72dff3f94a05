import { Injectable } from '@nestjs/common';
import { Conflict, Invalid, NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { AuditLog, type AuditActor } from '#libs/panel-auth';
import { TemplateIntake, type OrganisationScope } from '#libs/services';
import { Backup } from '../../domain/backup.js';
import { BackupStateRefuses, BackupVersionRefused } from '../../domain/backup-errors.js';
import { Restore } from '../../domain/restore.js';
import { BackupJournal } from '../backup-journal.js';
import { MomentRestores } from '../pitr/moment-restores.js';
import { assertHasData, DatabaseServices } from '../database-services.js';
import type { RestorePage } from '../ports/restore-repository.js';
import type { DatabaseMethod } from '../methods/database-method.js';
import { RestoreJournal } from './restore-journal.js';
import { restoredName } from './restored-name.js';
import { versionDefect } from './version-fit.js';

/** Queues restores of backups: into a new service, or into the service that was backed up. */
@Injectable()
export class Restores {
  constructor(
    private readonly journal: RestoreJournal,
    private readonly backups: BackupJournal,
    private readonly services: DatabaseServices,
    private readonly moments: MomentRestores,
    private readonly intake: TemplateIntake,
    private readonly audit: AuditLog,
    private readonly randomness: Randomness,
  ) {}

  /** @throws NotFound */
  async get(scope: OrganisationScope, id: Uuid): Promise<Restore> {
    const restore = await this.journal.restores.get(scope, id);
    if (!restore) throw new NotFound();
    return restore;
  }

  /**
   * Restores of a service's backups and restores into the service, newest first.
   * @throws NotFound when neither the service nor such a restore exists
   */
  async list(
    scope: OrganisationScope,
    serviceId: Uuid,
    slice: { readonly offset: number; readonly limit: number },
  ): Promise<RestorePage> {
    const page = await this.journal.restores.list(scope, serviceId, slice);
    if (page.total === 0) await this.services.assertExists(scope, serviceId);
    return page;
  }

  /**
   * Creates a service like the one that was backed up, with new credentials. It receives the data when it runs.
   * @param asked.name name of the new service; null derives one from the old service's name
   * @throws NotFound; BackupStateRefuses; BackupVersionRefused; what `TemplateIntake.deploy` throws
   */
  async intoNew(
    scope: OrganisationScope,
    asked: { readonly serviceId: Uuid; readonly backupId: Uuid; readonly name: string | null },
    actor: AuditActor,
    trigger: 'restore' | 'clone' = 'restore',
  ): Promise<Restore> {
    const backup = await this.restorable(scope, asked.serviceId, asked.backupId);
    if (backup.state.kind === 'base') return this.moments.fromCopy(backup, asked.name, actor);
    const { origin, customerId } = backup.state;
    const { template, method } = this.services.ofOrigin(origin);
    assertVersionFits(method, backup, template.version);
    const variables = new Map([
      ...(origin.database === '' ? [] : [['DB_NAME', origin.database] as const]),
      ...(origin.user === '' ? [] : [['DB_USER', origin.user] as const]),
    ]);
    const { cpuCores, memoryMb, diskMb } = origin;
    const request = {
      name: asked.name ?? restoredName(origin.serviceName, 'restored', backup.state.createdAt),
      description: `Restored from a backup of ${origin.serviceName}.`,
      customerId,
      variables,
      resourceLimits: { cpuCores, memoryMb, diskMb },
    };
    const made: Restore[] = [];
    const createdAt = await this.journal.time.shared();
    await this.intake.deploy(template.id, request, actor, {
      trigger,
      alongside: async ({ serviceId: targetId, deploymentId }) => {
        const restore = this.queue(backup, {
          targetId,
          deploymentId,
          into: 'new',
          safetyBackupId: null,
          actor,
          createdAt,
        });
        await this.store(restore, backup, actor);
        made.push(restore);
      },
    });
    const [restore] = made;
    if (!restore) throw new NotFound();
    return restore;
  }

  /**
   * Replaces the data of the service. A backup of the present data is taken first; if it fails, nothing is replaced.
   * @param asked.confirm the name of the service, typed by the user as a confirmation
   * @throws NotFound; Invalid for a wrong name; BackupStateRefuses; BackupVersionRefused; BackupInProgress;
   * RestoreInProgress
   */
  async intoSame(
    scope: OrganisationScope,
    asked: { readonly serviceId: Uuid; readonly backupId: Uuid; readonly confirm: string | null },
    actor: AuditActor,
  ): Promise<Restore> {
    const found = await this.services.find(scope, asked.serviceId);
    const { view, origin, method, service } = found;
    assertHasData(found);
    const backup = await this.restorable(scope, asked.serviceId, asked.backupId);
    backup.assertCanReplace();
    if (asked.confirm !== view.name) throw Invalid.field('confirm', 'must be the name of the service');
    if (view.status !== 'running') throw new BackupStateRefuses('Only a service that runs can be restored into.');
    assertVersionFits(method, backup, service.serverVersion);
    const refusal = backup.state.inventory && method.refusesSame?.(backup.state.inventory);
    if (refusal) throw new BackupStateRefuses(refusal);
    const { serviceId } = asked;
    const createdAt = await this.journal.time.shared();
    const safety = Backup.queue({
      id: this.randomness.uuid(),
      serviceId,
      customerId: view.customerId,
      kind: method.kind,
      trigger: 'pre-restore',
      origin,
      createdAt,
    });
    const given = { targetId: serviceId, deploymentId: null, safetyBackupId: safety.id, actor, createdAt };
    const restore = this.queue(backup, { ...given, into: 'same' });
    await this.journal.transactions.run(async () => {
      await this.backups.insert(safety);
      await this.store(restore, backup, actor);
    });
    return restore;
  }

  /** Creates a service from the newest verified backup. @throws NotFound; Conflict when there is no such backup */
  async clone(scope: OrganisationScope, serviceId: Uuid, name: string, actor: AuditActor): Promise<Restore> {
    await this.services.find(scope, serviceId);
    const [newest] = (await this.backups.backups.kept(serviceId))
      .filter(({ state }) => state.verification?.status === 'verified')
      .sort((a, b) => b.state.createdAt.getTime() - a.state.createdAt.getTime());
    if (!newest)
      throw new Conflict('backup_missing', 'The service has no verified backup: make one, then clone the service.');
    return this.intoNew(scope, { serviceId, backupId: newest.id, name }, actor, 'clone');
  }

  private async restorable(scope: OrganisationScope, serviceId: Uuid, backupId: Uuid): Promise<Backup> {
    const backup = await this.backups.backups.get(scope, backupId);
    if (backup?.state.serviceId !== serviceId) throw new NotFound();
    backup.assertRestorable();
    return backup;
  }

  private queue(
    { state }: Backup,
    given: Pick<Restore['state'], 'targetId' | 'deploymentId' | 'into' | 'safetyBackupId' | 'actor' | 'createdAt'>,
  ): Restore {
    return Restore.queue({
      ...given,
      id: this.randomness.uuid(),
      backupId: state.id,
      recoverTo: null,
      serviceId: state.serviceId,
      customerId: state.customerId,
    });
  }

  private async store(restore: Restore, { state }: Backup, actor: AuditActor): Promise<void> {
    await this.journal.insert(restore);
    const { into, targetId, serviceId } = restore.state;
    await this.audit.record({
      action: 'backup.restored',
      actor,
      organisationId: state.customerId,
      target: state.id,
      detail: { into, targetId, serviceId },
    });
  }
}

/** @throws BackupVersionRefused */
function assertVersionFits(method: DatabaseMethod, backup: Backup, server: string | null): void {
  const defect = versionDefect(method, backup, server);
  if (defect !== null) throw new BackupVersionRefused(defect);
}
