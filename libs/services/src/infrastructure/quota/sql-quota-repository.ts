import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { QuotaRepository } from '../../application/ports/quota-repository.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { QuotaLimits, QuotaUse } from '../../domain/quota/quota.js';
import { inScope, scopeIds } from '../sql/service-columns.js';

@Injectable()
export class SqlQuotaRepository extends QuotaRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async limits(organisationIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, QuotaLimits>> {
    const rows: (QuotaLimits & { id: Uuid })[] = await this.transactions.reader.query(
      `select organisation_id as id, services, cpu_cores as "cpuCores", memory_mb::float8 as "memoryMb",
              disk_mb::float8 as "diskMb"
         from services.organisation_quotas where organisation_id = any($1)`,
      [organisationIds],
    );
    return new Map(rows.map(({ id, ...limits }) => [id, limits]));
  }

  async put(organisationId: Uuid, { services, cpuCores, memoryMb, diskMb }: QuotaLimits, now: Date): Promise<void> {
    await this.transactions.writer.query(
      `insert into services.organisation_quotas (organisation_id, services, cpu_cores, memory_mb, disk_mb, updated_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (organisation_id) do update set services = excluded.services, cpu_cores = excluded.cpu_cores,
         memory_mb = excluded.memory_mb, disk_mb = excluded.disk_mb, updated_at = excluded.updated_at`,
      [organisationId, services, cpuCores, memoryMb, diskMb, now],
    );
  }

  async use(scope: OrganisationScope): Promise<QuotaUse> {
    // A version that waits for its deployment counts already if it may use more.
    // Cores are added as decimals: three services of 0.1 fit into 0.3.
    const [use]: QuotaUse[] = await this.transactions.reader.query(
      `select count(*)::int as services,
              coalesce(sum(greatest(s.cpu_cores, p.cpu_cores)::numeric), 0)::float8 as "cpuCores",
              coalesce(sum(greatest(s.memory_mb, p.memory_mb)), 0)::float8 as "memoryMb",
              coalesce(sum(greatest(s.disk_mb, p.disk_mb)), 0)::float8 as "diskMb"
         from services.services s
         left join lateral (
           select max(v.cpu_cores) as cpu_cores, max(v.memory_mb) as memory_mb, max(v.disk_mb) as disk_mb
             from services.deployments d
             join services.specs v on v.service_id = d.service_id and v.version = d.spec_version
            where d.service_id = s.id and d.status in ('queued', 'running')) p on true
        where not s.hidden and ${inScope('$1')}`,
      [scopeIds(scope)],
    );
    return use!;
  }
}
