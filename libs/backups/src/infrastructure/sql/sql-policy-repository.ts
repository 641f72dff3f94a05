import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { PolicyRepository } from '../../application/ports/policy-repository.js';
import type { BackupPolicy } from '../../domain/backup-policy.js';

const COLUMNS = `p.service_id as "serviceId", p.schedule, p.keep_daily as "keepDaily", p.keep_weekly as "keepWeekly",
  p.keep_monthly as "keepMonthly", p.verify, p.pitr, p.next_run_at as "nextRunAt"`;

@Injectable()
export class SqlPolicyRepository extends PolicyRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async get(serviceId: Uuid): Promise<BackupPolicy | null> {
    const rows: BackupPolicy[] = await this.transactions.reader.query(
      `select ${COLUMNS} from backups.policies p where p.service_id = $1`,
      [serviceId],
    );
    return rows[0] ?? null;
  }

  async save(policy: BackupPolicy, at: Date): Promise<void> {
    const { serviceId, schedule, keepDaily, keepWeekly, keepMonthly, verify, pitr, nextRunAt } = policy;
    await this.transactions.writer.query(
      `insert into backups.policies
         (service_id, schedule, keep_daily, keep_weekly, keep_monthly, verify, pitr, next_run_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (service_id) do update set schedule = excluded.schedule, keep_daily = excluded.keep_daily,
         keep_weekly = excluded.keep_weekly, keep_monthly = excluded.keep_monthly, verify = excluded.verify,
         pitr = excluded.pitr, next_run_at = excluded.next_run_at, updated_at = excluded.updated_at`,
      [serviceId, schedule, keepDaily, keepWeekly, keepMonthly, verify, pitr, nextRunAt, at],
    );
  }

  async due(now: Date, limit: number): Promise<readonly BackupPolicy[]> {
    return this.transactions.writer.query(
      `select ${COLUMNS} from backups.policies p
        where p.next_run_at <= $1 and exists (select 1 from services.services s where s.id = p.service_id)
        order by p.next_run_at limit $2 for update skip locked`,
      [now, limit],
    );
  }

  async scheduled(): Promise<readonly BackupPolicy[]> {
    return this.transactions.writer.query(
      `select ${COLUMNS} from backups.policies p
        where p.schedule is not null and exists (select 1 from services.services s where s.id = p.service_id)
          for update skip locked`,
    );
  }
}
