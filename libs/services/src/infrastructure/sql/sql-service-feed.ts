import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { ServiceFeed, type FeedEvent } from '../../application/ports/realtime/service-feed.js';

@Injectable()
export class SqlServiceFeed extends ServiceFeed {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  /** Events of the panel's own services are left out. */
  async append(events: readonly FeedEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.transactions.writer.query(
      `insert into services.feed (type, service_id, customer_id, deployment_id, data, at)
       select e.type, e.service_id, e.customer_id, e.deployment_id, e.data, e.at
         from rows from (jsonb_to_recordset($1::jsonb) as ("type" text, "serviceId" uuid, "customerId" uuid,
                         "deploymentId" uuid, "data" jsonb, "at" timestamptz)) with ordinality
              as e (type, service_id, customer_id, deployment_id, data, at, n)
        where not exists (select 1 from services.services s where s.id = e.service_id and s.hidden)
        order by e.n`,
      [JSON.stringify(events)],
    );
  }
}
