import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { BackupHistories, type ServiceHistory } from '../../application/ports/backup-histories.js';

/** A backup that was lost after it had succeeded: its status is `failed`, but its size is known. */
const LOST = `b.status = 'failed' and b.size_bytes is not null`;
const KEPT = `b.status = 'succeeded'`;

@Injectable()
export class SqlBackupHistories extends BackupHistories {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  ofAll(): Promise<readonly ServiceHistory[]> {
    return this.transactions.reader.query(
      `select t.service_id as "serviceId", s.customer_id as "customerId", p.schedule, t.alarm ->> 'code' as raised,
              coalesce(p.verify, 'always') as verify, f.*, r.*
         from services.template_services t
         join services.services s on s.id = t.service_id
         left join backups.policies p on p.service_id = t.service_id
        cross join lateral (
          select max(b.finished_at) filter (where ${LOST}) as "lostAt",
                 max(b.created_at) filter (where ${KEPT} and b.verification_status in ('verified', 'skipped'))
                   as "acceptedAt",
                 max(b.created_at) filter (where ${KEPT} and b.verification_status = 'verified') as "provenAt",
                 max((b.verification ->> 'verifiedAt')::timestamptz)
                   filter (where ${KEPT} and b.verification_status = 'verified') as "verifiedAt",
                 max(b.created_at) filter (where ${KEPT} and b.verification_status = 'failed') as "refutedAt"
            from backups.backups b where b.service_id = t.service_id and b.kind <> 'base') f
        cross join lateral (
          select count(*)::int as "scheduledSince", min(b.created_at) as "firstScheduledAt" from backups.backups b
           where b.service_id = t.service_id and b.kind <> 'base' and b.trigger = 'schedule'
             and b.created_at > coalesce(f."provenAt", '-infinity')) r`,
    );
  }
}
