import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import {
  CommitStatusRecords,
  type DueStatus,
  type ToldStatus,
} from '../../../application/ports/git/commit-status-records.js';

const STATE = `case d.status when 'queued' then 'pending' when 'running' then 'pending' when 'succeeded' then 'success'
  when 'failed' then 'failure' else 'cancelled' end`;

/** Cancelled deployments are not reported unless they were reported before, and nothing is reported after a day. */
const DUE = `
  select d.id as "deploymentId", d.service_id as "serviceId", s.name as "serviceName", d.spec_version as "specVersion",
         w.commit, w.state, h.service_id as "settingsOf"
    from services.git_host_settings h
    join services.services s on s.deployment_type = 'git' and (s.id = h.service_id
      or s.id in (select v.service_id from services.previews v where v.parent_id = h.service_id))
    join services.deployments d on d.service_id = s.id and d.trigger in ('git', 'push', 'update', 'redeploy')
     and d.created_at >= greatest(h.status_since, $1::timestamptz - interval '1 day')
    left join services.git_deployments g on g.deployment_id = d.id
    left join services.commit_statuses c on c.deployment_id = d.id
    cross join lateral (select ${STATE} as state, coalesce(d.commit_sha, g.requested_ref) as commit) w
   where h.sealed_token is not null and w.commit ~ '^([0-9a-f]{40}|[0-9a-f]{64})$'
     and case when c.deployment_id is null then w.state <> 'cancelled'
              else c.told is distinct from w.state and c.next_attempt_at <= $1
                   and (c.wanted <> w.state or c.attempts < $2) end
   order by d.created_at, d.id limit $3`;

@Injectable()
export class SqlCommitStatusRecords extends CommitStatusRecords {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  due(at: Date, maxAttempts: number, limit: number): Promise<readonly DueStatus[]> {
    return this.transactions.reader.query(DUE, [at, maxAttempts, limit]);
  }

  async claim({ deploymentId, state }: DueStatus, at: Date, until: Date): Promise<number | null> {
    const [row]: { attempts: number }[] = await this.transactions.writer.query(
      `insert into services.commit_statuses as c (deployment_id, wanted, attempts, next_attempt_at, changed_at)
       values ($1, $2, 1, $4, $3)
       on conflict (deployment_id) do update set wanted = $2, next_attempt_at = $4, changed_at = $3,
         attempts = case when c.wanted = $2 then c.attempts + 1 else 1 end
       where c.next_attempt_at <= $3 and c.told is distinct from $2
       returning attempts`,
      [deploymentId, state, at, until],
    );
    return row?.attempts ?? null;
  }

  async told({ deploymentId, state }: DueStatus, at: Date): Promise<void> {
    await this.transactions.writer.query(
      `update services.commit_statuses set told = $2, error = null, next_attempt_at = $3, changed_at = $3
        where deployment_id = $1 and wanted = $2`,
      [deploymentId, state, at],
    );
  }

  /** A report that is given up has used all of its attempts. */
  async failed({ deploymentId, state }: DueStatus, error: string, at: Date, again: Date | null): Promise<void> {
    await this.transactions.writer.query(
      `update services.commit_statuses set error = $3, changed_at = $4::timestamptz, next_attempt_at = coalesce($5::timestamptz, $4),
         attempts = case when $5::timestamptz is null then 1000 else attempts end
        where deployment_id = $1 and wanted = $2`,
      [deploymentId, state, error, at, again],
    );
  }

  async latest(serviceId: Uuid): Promise<ToldStatus | null> {
    const [row]: ToldStatus[] = await this.transactions.reader.query(
      `select c.deployment_id as "deploymentId", c.wanted as state, c.error, c.changed_at as at
         from services.commit_statuses c join services.deployments d on d.id = c.deployment_id
        where d.service_id = $1
           or d.service_id in (select v.service_id from services.previews v where v.parent_id = $1)
        order by c.changed_at desc limit 1`,
      [serviceId],
    );
    return row ?? null;
  }
}
