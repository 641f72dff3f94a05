import { Injectable } from '@nestjs/common';
import { DomainError } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import { OrganisationScope } from '#libs/services';
import { Backup } from '../../domain/backup.js';
import type { BackupPolicy } from '../../domain/backup-policy.js';
import { BackupJournal } from '../backup-journal.js';
import { DatabaseServices } from '../database-services.js';
import { AgreedTime } from '../ports/agreed-time.js';
import { PolicyRepository } from '../ports/policy-repository.js';
import { Schedules } from '../ports/schedules.js';

const AT_ONCE = 20;

/** Queues backups by schedule. However many runs were missed, one backup makes up for them. */
@Injectable()
export class ScheduledBackups {
  constructor(
    private readonly journal: BackupJournal,
    private readonly policies: PolicyRepository,
    private readonly services: DatabaseServices,
    private readonly schedules: Schedules,
    private readonly time: AgreedTime,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Queues the backups that are due by the later of the two clocks, so that none is missed because one clock is behind.
   * @returns the number of backups queued
   */
  async askDue(): Promise<number> {
    const [now, shared] = [await this.time.latest(), await this.time.shared()];
    let asked = 0;
    await this.journal.transactions.run(async () => {
      for (const policy of await this.policies.due(now, AT_ONCE)) {
        if (await this.isTooEarly(policy, now, shared)) continue;
        await this.policies.save({ ...policy, nextRunAt: this.schedules.next(policy.schedule ?? '', now) }, now);
        if (await this.ask(policy, shared)) asked += 1;
      }
    });
    return asked;
  }

  /** Plans runs again that lie too far in the future, as they do after a clock ran ahead. */
  async mend(): Promise<void> {
    const now = await this.time.latest();
    await this.journal.transactions.run(async () => {
      for (const policy of await this.policies.scheduled()) {
        const next = this.schedules.next(policy.schedule ?? '', now);
        if (policy.nextRunAt && policy.nextRunAt > next) await this.policies.save({ ...policy, nextRunAt: next }, now);
      }
    });
  }

  /** Limits a worker whose clock runs ahead of the shared one to one backup per period of the schedule. */
  private async isTooEarly({ serviceId, schedule, nextRunAt }: BackupPolicy, now: Date, shared: Date) {
    if (nextRunAt === null || nextRunAt <= shared) return false;
    const last = await this.journal.backups.lastScheduledAt(serviceId);
    const next = this.schedules.next(schedule ?? '', now);
    const period = this.schedules.next(schedule ?? '', next).getTime() - next.getTime();
    return last !== null && shared.getTime() - last.getTime() < period;
  }

  private async ask({ serviceId }: BackupPolicy, createdAt: Date): Promise<boolean> {
    // An error about one service, such as a template that was removed, must not hold up the others.
    const found = await this.services.find(OrganisationScope.all, serviceId).catch(nullIfRefused);
    if (!found) return false;
    const { view, origin, method, service } = found;
    // The data of a stopped or suspended service do not change, so its last backup is as good as a new one.
    if (view.status === 'stopped' || view.status === 'suspended' || view.status === 'removing') return false;
    if (service.awaitsDataSince !== null) return false;
    const backup = Backup.queue({
      id: this.randomness.uuid(),
      serviceId,
      customerId: view.customerId,
      kind: method.kind,
      trigger: 'schedule',
      origin,
      createdAt,
    });
    return this.journal.insertUnlessBusy(backup);
  }
}

function nullIfRefused(error: unknown): null {
  if (error instanceof DomainError) return null;
  throw error;
}
