import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import {
  PreviewRecords,
  type OpenPreview,
  type UnwantedPreview,
} from '../../../application/ports/git/preview-records.js';

const REASON = `case
    when v.closed_at is not null then 'The pull request was closed, or its preview was given up.'
    when v.expires_at <= $1 then 'The time of the preview is over.'
    when p.id is null or p.status = 'removing' then 'The service that it is a preview of is removed.'
    when p.suspended then 'The service that it is a preview of is suspended.'
    when p.customer_id is distinct from s.customer_id then 'The service that it is a preview of has another owner.'
    when h.previews is not true then 'Previews of pull requests were turned off.'
  end`;

@Injectable()
export class SqlPreviewRecords extends PreviewRecords {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async add({ serviceId, parentId, pullRequest, expiresAt }: OpenPreview): Promise<boolean> {
    const rows: unknown[] = await this.transactions.writer.query(
      `insert into services.previews (service_id, parent_id, pull_request, expires_at) values ($1, $2, $3, $4)
       on conflict (parent_id, pull_request) where closed_at is null do nothing returning service_id`,
      [serviceId, parentId, pullRequest, expiresAt],
    );
    return rows.length > 0;
  }

  async open(parentId: Uuid, pullRequest: number): Promise<OpenPreview | null> {
    const [row]: OpenPreview[] = await this.transactions.reader.query(
      `select service_id as "serviceId", parent_id as "parentId", pull_request as "pullRequest",
              expires_at as "expiresAt"
         from services.previews where parent_id = $1 and pull_request = $2 and closed_at is null`,
      [parentId, pullRequest],
    );
    return row ?? null;
  }

  async extend(serviceId: Uuid, expiresAt: Date): Promise<boolean> {
    const [, changed] = await this.transactions.writer.query<[unknown, number]>(
      'update services.previews set expires_at = $2 where service_id = $1 and closed_at is null',
      [serviceId, expiresAt],
    );
    return changed > 0;
  }

  async close(serviceId: Uuid, at: Date): Promise<void> {
    await this.transactions.writer.query(
      'update services.previews set closed_at = $2 where service_id = $1 and closed_at is null',
      [serviceId, at],
    );
  }

  unwanted(at: Date): Promise<readonly UnwantedPreview[]> {
    return this.transactions.reader.query(
      `select * from (
         select v.service_id as "serviceId", ${REASON} as reason
           from services.previews v
           join services.services s on s.id = v.service_id
           left join services.services p on p.id = v.parent_id
           left join services.git_host_settings h on h.service_id = v.parent_id
          where not exists (
            select 1 from services.deployments d where d.service_id = v.service_id and d.trigger = 'remove'
               and (d.status in ('queued', 'running') or d.created_at > $1::timestamptz - interval '1 minute'))
       ) found where reason is not null`,
      [at],
    );
  }
}
