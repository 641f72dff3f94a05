import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { OwnServiceRepository, type OwnService } from '../../application/ports/own-service-repository.js';

@Injectable()
export class SqlOwnServices extends OwnServiceRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async insert({ purpose, serviceId, role, port, details }: OwnService): Promise<boolean> {
    const made: unknown[] = await this.transactions.writer.query(
      `insert into services.own_services (purpose, service_id, role, port, details) values ($1, $2, $3, $4, $5)
       on conflict (purpose) do nothing returning purpose`,
      [purpose, serviceId, role, port, JSON.stringify(details)],
    );
    return made.length > 0;
  }

  async find(purpose: string): Promise<OwnService | null> {
    const [row]: OwnService[] = await this.transactions.reader.query(
      `select purpose, service_id as "serviceId", role, port, details from services.own_services where purpose = $1`,
      [purpose],
    );
    return row ?? null;
  }
}
