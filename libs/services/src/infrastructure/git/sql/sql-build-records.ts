import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { BuildRecords, type BuiltImageRecord } from '../../../application/ports/git/build-records.js';

@Injectable()
export class SqlBuildRecords extends BuildRecords {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async request(deploymentId: Uuid, serviceId: Uuid, ref: string): Promise<void> {
    await this.transactions.writer.query(
      `insert into services.git_deployments (deployment_id, service_id, requested_ref) values ($1, $2, $3)
       on conflict (deployment_id) do update set requested_ref = $3`,
      [deploymentId, serviceId, ref],
    );
  }

  async requestedRef(deploymentId: Uuid): Promise<string | null> {
    const [row]: { ref: string | null }[] = await this.transactions.reader.query(
      'select requested_ref as ref from services.git_deployments where deployment_id = $1',
      [deploymentId],
    );
    return row?.ref ?? null;
  }

  /** A deployment may be built again after its worker died. */
  async keep(serviceId: Uuid, image: BuiltImageRecord, at: Date): Promise<void> {
    const { deploymentId, reference, imageId, digest, layers } = image;
    await this.transactions.writer.query(
      `insert into services.git_deployments (deployment_id, service_id, image_reference, image_id, built_at, layers, image_digest)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (deployment_id)
       do update set image_reference = $3, image_id = $4, built_at = $5, layers = $6, image_digest = $7`,
      [deploymentId, serviceId, reference, imageId, at, layers, digest],
    );
  }

  images(serviceId: Uuid): Promise<readonly BuiltImageRecord[]> {
    return this.transactions.reader.query(
      `select deployment_id as "deploymentId", image_reference as reference, image_id as "imageId",
              image_digest as digest, layers
         from services.git_deployments where service_id = $1 and image_id is not null
        order by built_at desc, deployment_id desc`,
      [serviceId],
    );
  }

  async forget(deploymentIds: readonly Uuid[]): Promise<void> {
    if (deploymentIds.length === 0) return;
    await this.transactions.writer.query(
      `update services.git_deployments
          set image_reference = null, image_id = null, image_digest = null, built_at = null, layers = '{}'
        where deployment_id = any($1)`,
      [deploymentIds],
    );
  }
}
