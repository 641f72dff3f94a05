import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { DeploymentRepository, type OpenOperations } from '../../application/ports/deployment-repository.js';
import type { DeploymentState, DeploymentStatus } from '../../domain/deploying/deployment-state.js';
import { Deployment } from '../../domain/deploying/deployment.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import { DEPLOYMENT_COLUMNS, toDeploymentState, type DeploymentRecord } from './deployment-columns.js';
import { appendDeploymentChange, appendDeploymentMade } from '../realtime/feed-sql.js';
import { inSight, scopeIds } from './service-columns.js';

@Injectable()
export class SqlDeploymentRepository extends DeploymentRepository {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly clock: Clock,
  ) {
    super();
  }

  async insert({ state: deployment }: Deployment): Promise<void> {
    const { actor } = deployment;
    await this.transactions.writer.query(
      `with changed as (
         insert into services.deployments (id, service_id, trigger, status, user_id, api_key_id, spec_version,
           source_deployment_id, created_at, error_message)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning *)
       ${appendDeploymentMade('$9::timestamptz')}`,
      [
        ...[deployment.id, deployment.serviceId, deployment.trigger, deployment.status, actor.userId, actor.apiKeyId],
        ...[deployment.specVersion, deployment.sourceDeploymentId, deployment.createdAt, deployment.errorMessage],
      ],
    );
  }

  async update({ state: deployment }: Deployment): Promise<void> {
    await this.transactions.writer.query(
      `with before as (select id, status, steps from services.deployments where id = $1), changed as (
         update services.deployments set status = $2, error_message = $3, reverted = $4, steps = $5, topology = $6,
           cancel_requested = cancel_requested or $7, committed_at = $8, proven_at = $9, started_at = $10,
           finished_at = $11, spec_version = $12, strategy = $13, commit_sha = $14
         where id = $1 returning *)
       ${appendDeploymentChange('$15::timestamptz')}`,
      [
        ...[deployment.id, deployment.status, deployment.errorMessage, deployment.reverted],
        ...[JSON.stringify(deployment.steps), deployment.topology && JSON.stringify(deployment.topology)],
        ...[deployment.cancelRequested, deployment.committedAt, deployment.provenAt, deployment.startedAt],
        ...[deployment.finishedAt, deployment.specVersion, deployment.strategy, deployment.commitSha],
        this.clock.now(),
      ],
    );
  }

  async get(scope: OrganisationScope, id: Uuid): Promise<Deployment | null> {
    const rows: DeploymentRecord[] = await this.transactions.reader.query(
      `select ${DEPLOYMENT_COLUMNS} from services.deployments d join services.services s on s.id = d.service_id
        where d.id = $1 and ${inSight('$2', '$3')}`,
      [id, scopeIds(scope), scope.seesOwn],
    );
    return rows[0] ? restored(rows[0]) : null;
  }

  async open(serviceId: Uuid): Promise<OpenOperations> {
    const rows: DeploymentRecord[] = await this.transactions.reader.query(
      `select ${DEPLOYMENT_COLUMNS} from services.deployments d
        where d.service_id = $1 and d.status in ('queued', 'running')`,
      [serviceId],
    );
    const found = (status: string) => rows.find((row) => row.status === status);
    const [running, queued] = [found('running'), found('queued')];
    return { running: running ? restored(running) : null, queued: queued ? restored(queued) : null };
  }

  async find(ids: readonly Uuid[]): Promise<readonly Deployment[]> {
    const rows: DeploymentRecord[] = await this.transactions.reader.query(
      `select ${DEPLOYMENT_COLUMNS} from services.deployments d where d.id = any($1)`,
      [ids],
    );
    return rows.map(restored);
  }

  async busyServices(): Promise<ReadonlySet<Uuid>> {
    const rows: { id: Uuid }[] = await this.transactions.reader.query(
      `select service_id as id from services.deployments where status in ('queued', 'running')`,
    );
    return new Set(rows.map(({ id }) => id));
  }

  async lastFinished(serviceId: Uuid): Promise<DeploymentState | null> {
    const rows: DeploymentRecord[] = await this.transactions.reader.query(
      `select ${DEPLOYMENT_COLUMNS} from services.deployments d
        where d.service_id = $1 and d.finished_at is not null and d.status <> 'superseded'
        order by d.created_at desc, d.id desc limit 1`,
      [serviceId],
    );
    return rows[0] ? toDeploymentState(rows[0]) : null;
  }

  withoutWorker(limit: number): Promise<readonly Uuid[]> {
    return this.unleased(['queued', 'running'], limit);
  }

  abandoned(limit: number): Promise<readonly Uuid[]> {
    return this.unleased(['running'], limit);
  }

  private async unleased(statuses: readonly DeploymentStatus[], limit: number): Promise<readonly Uuid[]> {
    const rows: { id: Uuid }[] = await this.transactions.reader.query(
      `select d.id from services.deployments d join services.services s on s.id = d.service_id
        where d.status = any($1) and (s.lease_expires_at is null or s.lease_expires_at < now())
        order by d.created_at limit $2`,
      [statuses, limit],
    );
    return rows.map(({ id }) => id);
  }
}

const restored = (row: DeploymentRecord): Deployment => Deployment.restore(toDeploymentState(row));
