import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { WatchTargets } from '../../application/ports/realtime/watch-targets.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import { inScope, scopeIds } from '../sql/service-columns.js';

@Injectable()
export class SqlWatchTargets extends WatchTargets {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async services(scope: OrganisationScope, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
    if (ids.length === 0) return new Set();
    const rows: { id: Uuid }[] = await this.transactions.reader.query(
      `select s.id from services.services s where s.id = any($1) and not s.hidden and ${inScope('$2')}`,
      [ids, scopeIds(scope)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async deployments(scope: OrganisationScope, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, Uuid>> {
    if (ids.length === 0) return new Map();
    const rows: { id: Uuid; serviceId: Uuid }[] = await this.transactions.reader.query(
      `select d.id, d.service_id as "serviceId"
         from services.deployments d join services.services s on s.id = d.service_id
        where d.id = any($1) and not s.hidden and ${inScope('$2')}`,
      [ids, scopeIds(scope)],
    );
    return new Map(rows.map(({ id, serviceId }) => [id, serviceId]));
  }
}
