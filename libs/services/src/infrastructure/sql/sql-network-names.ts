import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { NetworkNames, type SharedName } from '../../application/ports/network-names.js';
import { NetworkNameTaken } from '../../domain/services-errors.js';

/** Set-based: claims new names and releases the ones that are no longer used. */
@Injectable()
export class SqlNetworkNames extends NetworkNames {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async claim(serviceId: Uuid, names: readonly SharedName[]): Promise<void> {
    const values = [serviceId, names.map(({ network }) => network), names.map(({ name }) => name)];
    await this.transactions.writer.query(
      `delete from services.network_names n
        where n.service_id = $1 and not exists (
          select 1 from unnest($2::text[], $3::text[]) as kept (network, name)
           where kept.network = n.network and kept.name = n.name)`,
      values,
    );
    // The update without a change waits for a transaction that is claiming the same name, and returns its owner.
    const taken: { serviceId: Uuid; name: string }[] = await this.transactions.writer.query(
      `insert into services.network_names (network, name, service_id)
       select distinct network, name, $1::uuid from unnest($2::text[], $3::text[]) as asked (network, name) order by 1, 2
       on conflict on constraint network_names_once do update set name = excluded.name
       returning service_id as "serviceId", name`,
      values,
    );
    const other = taken.find((row) => row.serviceId !== serviceId);
    if (other) throw new NetworkNameTaken(other.name);
  }
}
