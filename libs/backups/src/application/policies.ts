import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Invalid } from '#kernel/errors';
import { Transactions } from '#kernel/transactions';
import { AuditLog, type AuditActor } from '#libs/panel-auth';
import type { OrganisationScope } from '#libs/services';
import { type BackupPolicy, defaultPolicy } from '../domain/backup-policy.js';
import { NO_FAILURES } from '../domain/pitr/copy-attempts.js';
import { assertHasData, DatabaseServices } from './database-services.js';
import { AgreedTime } from './ports/agreed-time.js';
import { PolicyRepository } from './ports/policy-repository.js';
import { Schedules } from './ports/schedules.js';
import { WalRepository } from './ports/wal-repository.js';

export type PolicyChange = Omit<BackupPolicy, 'serviceId' | 'nextRunAt'>;

/** Backup policies of services: when backups are made, how long they are kept and whether the log is archived. */
@Injectable()
export class Policies {
  constructor(
    private readonly policies: PolicyRepository,
    private readonly logs: WalRepository,
    private readonly services: DatabaseServices,
    private readonly schedules: Schedules,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
    private readonly time: AgreedTime,
  ) {}

  /** The policy that applies to a service: the one its owner set, or the default. */
  async of(serviceId: Uuid): Promise<BackupPolicy> {
    return (await this.policies.get(serviceId)) ?? defaultPolicy(serviceId);
  }

  /** @throws NotFound; NotBackedUp */
  async get(scope: OrganisationScope, serviceId: Uuid): Promise<BackupPolicy> {
    await this.services.find(scope, serviceId);
    return this.of(serviceId);
  }

  /**
   * @throws NotFound; NotBackedUp; Invalid for `pitr` of a database that has none; ScheduleNeverRuns; RestoreInProgress
   */
  async set(scope: OrganisationScope, serviceId: Uuid, change: PolicyChange, actor: AuditActor): Promise<BackupPolicy> {
    const found = await this.services.find(scope, serviceId);
    const { view, template } = found;
    if (change.pitr && !template.backup.supportsPitr)
      throw Invalid.field('pitr', `is not available for ${template.name}`);
    // While a restore replaces the data, a log of the old data would be of no use.
    if (change.pitr) assertHasData(found);
    const now = await this.time.shared();
    const nextRunAt = change.schedule === null ? null : this.schedules.next(change.schedule, now);
    const policy = { ...change, serviceId, nextRunAt };
    const { pitr: wasArchived } = await this.of(serviceId);
    await this.transactions.run(async () => {
      await this.policies.save(policy, now);
      // The owner has just changed this setting, so the next base backup does not wait for the pause after a failure.
      if (change.pitr !== wasArchived) await this.logs.saveAttempts(serviceId, NO_FAILURES);
      const { schedule, keepDaily, keepWeekly, keepMonthly, verify, pitr } = change;
      const detail = { schedule, keepDaily, keepWeekly, keepMonthly, verify, pitr };
      const entry = { action: 'backup.policy_set' as const, actor, target: serviceId, detail };
      await this.audit.record({ ...entry, organisationId: view.customerId });
    });
    return policy;
  }
}
