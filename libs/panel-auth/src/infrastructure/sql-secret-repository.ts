import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { SecretRepository, type SealedSecret, type WrittenSecret } from '../application/ports/secret-repository.js';
import type { SecretRecord } from '../domain/organisation-secret.js';

@Injectable()
export class SqlSecretRepository extends SecretRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  list(organisationId: Uuid): Promise<readonly SecretRecord[]> {
    return this.transactions.reader.query<SecretRecord[]>(
      `select name, created_at as "createdAt", updated_at as "updatedAt"
         from panel_auth.organisation_secrets where organisation_id = $1 order by name collate "C"`,
      [organisationId],
    );
  }

  async lockId(organisationId: Uuid, name: string): Promise<Uuid | null> {
    const rows: { id: Uuid }[] = await this.transactions.writer.query(
      'select id from panel_auth.organisation_secrets where organisation_id = $1 and name = $2 for update',
      [organisationId, name],
    );
    return rows[0]?.id ?? null;
  }

  async write({ id, organisationId, name, sealed }: SealedSecret, now: Date): Promise<WrittenSecret | null> {
    // If another transaction inserted the same name first, it wins; the caller then seals again for that row.
    const rows: WrittenSecret[] = await this.transactions.writer.query(
      `insert into panel_auth.organisation_secrets (id, organisation_id, name, sealed_value, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $5)
       on conflict (organisation_id, name)
         do update set sealed_value = excluded.sealed_value, updated_at = excluded.updated_at
         where organisation_secrets.id = excluded.id
       returning name, created_at as "createdAt", updated_at as "updatedAt", xmax = 0 as "isNew"`,
      [id, organisationId, name, sealed, now],
    );
    return rows[0] ?? null;
  }

  async delete(organisationId: Uuid, name: string): Promise<boolean> {
    const [, deleted] = await this.transactions.writer.query<[unknown, number]>(
      'delete from panel_auth.organisation_secrets where organisation_id = $1 and name = $2',
      [organisationId, name],
    );
    return deleted > 0;
  }

  find(organisationId: Uuid, names: readonly string[]): Promise<readonly SealedSecret[]> {
    return this.transactions.reader.query<SealedSecret[]>(
      `select id, organisation_id as "organisationId", name, sealed_value as sealed
         from panel_auth.organisation_secrets where organisation_id = $1 and name = any($2)`,
      [organisationId, names],
    );
  }
}
