import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/transactions';
import { ServiceFeed, TemplateServices } from '#libs/services';
import { alarmOf, type BackupAlarm } from '../domain/backup-alarm.js';
import { AgreedTime } from './ports/agreed-time.js';
import { BackupHistories, type ServiceHistory } from './ports/backup-histories.js';
import { Schedules } from './ports/schedules.js';
import { StorageFigures } from './ports/storage-figures.js';

/** Reports services whose backups cannot be relied on: in their `statusReason`, as an event and as a metric. */
@Injectable()
export class BackupAlarms {
  constructor(
    private readonly histories: BackupHistories,
    private readonly schedules: Schedules,
    private readonly services: TemplateServices,
    private readonly feed: ServiceFeed,
    private readonly figures: StorageFigures,
    private readonly time: AgreedTime,
    private readonly transactions: Transactions,
  ) {}

  /** Raises, changes and clears the alarms of all services. @returns the number of services with an alarm */
  async review(): Promise<number> {
    const now = await this.time.shared();
    const raised = new Map<ServiceHistory, BackupAlarm>();
    for (const service of await this.histories.ofAll()) {
      const alarm = alarmOf({ ...service, periodMs: this.periodMs(service, now) }, now);
      if (alarm) raised.set(service, alarm);
      if (alarm?.code !== (service.raised ?? undefined)) await this.store(service, alarm, now);
    }
    this.figures.alarms([...raised].map(([{ serviceId }, { code }]) => ({ serviceId, code })));
    return raised.size;
  }

  private async store({ serviceId, customerId }: ServiceHistory, alarm: BackupAlarm | null, at: Date): Promise<void> {
    await this.transactions.run(async () => {
      if (!(await this.services.setAlarm(serviceId, alarm, at))) return;
      const event = { type: 'backup.status' as const, serviceId, customerId, deploymentId: null, at };
      await this.feed.append([{ ...event, data: { serviceId, alarm } }]);
    });
  }

  private periodMs({ schedule }: ServiceHistory, now: Date): number | null {
    if (schedule === null) return null;
    const next = this.schedules.next(schedule, now);
    return this.schedules.next(schedule, next).getTime() - next.getTime();
  }
}
