import { Injectable } from '@nestjs/common';
import { Invalid, NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { AuditLog, type AuditActor } from '#libs/panel-auth';
import { TemplateIntake, type OrganisationScope } from '#libs/services';
import type { Backup } from '../../domain/backup.js';
import { BackupStateRefuses } from '../../domain/backup-errors.js';
import type { BackupOrigin } from '../../domain/backup-state.js';
import { Restore } from '../../domain/restore.js';
import { DatabaseServices, type DatabaseService } from '../database-services.js';
import { RestoreJournal } from '../restoring/restore-journal.js';
import { restoredName } from '../restoring/restored-name.js';
import { PointInTime } from './point-in-time.js';

/** Queues restores of a database, as it was at a moment, into a new service. */
@Injectable()
export class MomentRestores {
  constructor(
    private readonly journal: RestoreJournal,
    private readonly services: DatabaseServices,
    private readonly history: PointInTime,
    private readonly intake: TemplateIntake,
    private readonly audit: AuditLog,
    private readonly randomness: Randomness,
  ) {}

  /**
   * @param asked.name name of the new service; null derives one from the old service's name
   * @throws NotFound; NotBackedUp; Invalid for a moment outside the window; what `TemplateIntake.deploy` throws
   */
  async intoNew(
    scope: OrganisationScope,
    asked: { readonly serviceId: Uuid; readonly at: Date; readonly name: string | null },
    actor: AuditActor,
  ): Promise<Restore> {
    const { serviceId } = asked;
    const found = await this.services.find(scope, serviceId);
    const at = this.history.told(found, asked.at);
    await this.assertInWindow(scope, found, at);
    return this.deploy(found.origin, { ...asked, at, customerId: found.view.customerId }, actor);
  }

  /** Restores a base backup to the earliest moment that it allows. @throws BackupStateRefuses; what `TemplateIntake.deploy` throws */
  async fromCopy({ id, state }: Backup, name: string | null, actor: AuditActor): Promise<Restore> {
    const { serviceId, customerId, origin } = state;
    const found = await this.history.newest(serviceId, id, origin.template);
    if (!found) throw new BackupStateRefuses('No log was shipped yet after this copy, or it has a gap there.');
    return this.deploy(origin, { serviceId, customerId, at: found.from, name }, actor);
  }

  private async deploy(
    origin: BackupOrigin,
    asked: {
      readonly serviceId: Uuid;
      readonly customerId: Uuid | null;
      readonly at: Date;
      readonly name: string | null;
    },
    actor: AuditActor,
  ): Promise<Restore> {
    const { serviceId, customerId, at } = asked;
    const { serviceName, database, user, cpuCores, memoryMb, diskMb } = origin;
    const { template } = this.services.ofOrigin(origin);
    const request = {
      name: asked.name ?? restoredName(serviceName, 'as of', at),
      description: `${serviceName} as of ${at.toISOString()}.`,
      customerId,
      variables: new Map([
        ['DB_NAME', database],
        ['DB_USER', user],
      ]),
      resourceLimits: { cpuCores, memoryMb, diskMb },
    };
    const made: Restore[] = [];
    const createdAt = await this.journal.time.shared();
    await this.intake.deploy(template.id, request, actor, {
      trigger: 'restore',
      alongside: async ({ serviceId: targetId, deploymentId }) => {
        const restore = Restore.queue({
          id: this.randomness.uuid(),
          backupId: null,
          recoverTo: at,
          serviceId,
          customerId,
          targetId,
          deploymentId,
          into: 'new',
          safetyBackupId: null,
          actor,
          createdAt,
        });
        await this.journal.insert(restore);
        const detail = { at: at.toISOString(), targetId, serviceId };
        const entry = { action: 'backup.restored' as const, actor, target: restore.id, detail };
        await this.audit.record({ ...entry, organisationId: customerId });
        made.push(restore);
      },
    });
    const [restore] = made;
    if (!restore) throw new NotFound();
    return restore;
  }

  /** For a running database the window reaches up to now, because the restore ships the newest log first. */
  private async assertInWindow(scope: OrganisationScope, { view }: DatabaseService, at: Date): Promise<void> {
    const { window, problem, grows } = await this.history.standing(scope, view.id);
    if (!window) throw outside(problem ?? 'nothing of the history of this database is archived yet');
    const { from, to } = window;
    const last = view.status === 'running' && grows ? later(to, await this.journal.time.shared()) : to;
    if (at.getTime() < from.getTime() || at.getTime() > last.getTime())
      throw outside(`must be from ${from.toISOString()} to ${last.toISOString()}`);
  }
}

const later = (a: Date, b: Date): Date => (a.getTime() > b.getTime() ? a : b);

function outside(problem: string): Invalid {
  const message = `at ${problem}`;
  return new Invalid('validation_failed', message, [{ path: '/at', code: 'out_of_range', message }]);
}
