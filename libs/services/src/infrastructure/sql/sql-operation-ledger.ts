import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { OperationLedger, type Claim, type Lease, type LeaseState } from '../../application/ports/operation-ledger.js';
import { Deployment } from '../../domain/deploying/deployment.js';
import { LeaseLost } from '../../domain/services-errors.js';
import { DEPLOYMENT_COLUMNS, toDeploymentState, type DeploymentRecord } from './deployment-columns.js';
import { appendDeploymentChange } from '../realtime/feed-sql.js';

/** Leases are measured by the clock of the database, the one clock that all workers share. */
@Injectable()
export class SqlOperationLedger extends OperationLedger {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  claim(serviceId: Uuid, leaseMs: number, now: Date): Promise<Claim | null> {
    return this.transactions.run(async () => {
      const { writer } = this.transactions;
      const [free]: unknown[] = await writer.query(
        `select 1 from services.services
          where id = $1 and (lease_expires_at is null or lease_expires_at < now()) for update`,
        [serviceId],
      );
      if (!free) return null;
      const [next]: { id: Uuid }[] = await writer.query(
        `select id from services.deployments where service_id = $1 and status in ('running', 'queued')
          order by status = 'running' desc limit 1`,
        [serviceId],
      );
      if (!next) return null;
      const token = await this.takeLease(serviceId, leaseMs);
      await writer.query(
        `with before as (select id, status, steps from services.deployments where id = $1), changed as (
           update services.deployments
              set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, $2::timestamptz)
            where id = $1 returning *)
         ${appendDeploymentChange('$2::timestamptz')}`,
        [next.id, now],
      );
      const [row]: DeploymentRecord[] = await writer.query(
        `select ${DEPLOYMENT_COLUMNS} from services.deployments d where d.id = $1`,
        [next.id],
      );
      return {
        lease: { serviceId, deploymentId: next.id, token },
        deployment: Deployment.restore(toDeploymentState(row!)),
      };
    });
  }

  async renew(lease: Lease, leaseMs: number): Promise<LeaseState> {
    return this.transactions.run(async () => {
      const [, renewed] = await this.transactions.writer.query<[unknown, number]>(
        `update services.services set lease_expires_at = now() + $3 * interval '1 millisecond'
          where id = $1 and lease_token = $2`,
        [lease.serviceId, lease.token, leaseMs],
      );
      if (renewed === 0) throw new LeaseLost();
      return this.check(lease);
    });
  }

  check(lease: Lease): Promise<LeaseState> {
    return this.held(lease, '');
  }

  whileHeld<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
    return this.transactions.run(async () => {
      // After waiting for the lock, the condition is checked again on the current row.
      await this.held(lease, 'for update of s');
      return work();
    });
  }

  async release({ serviceId, token }: Lease): Promise<void> {
    await this.transactions.run(() =>
      this.transactions.writer.query(
        'update services.services set lease_expires_at = null where id = $1 and lease_token = $2',
        [serviceId, token],
      ),
    );
  }

  private async held({ serviceId, deploymentId, token }: Lease, lock: '' | 'for update of s'): Promise<LeaseState> {
    const rows: LeaseState[] = await this.transactions.reader.query(
      `select d.cancel_requested as "cancelRequested"
         from services.services s join services.deployments d on d.id = $3
        where s.id = $1 and s.lease_token = $2 and s.lease_expires_at > clock_timestamp() and d.status = 'running' ${lock}`,
      [serviceId, token, deploymentId],
    );
    if (!rows[0]) throw new LeaseLost();
    return rows[0];
  }

  private async takeLease(serviceId: Uuid, leaseMs: number): Promise<string> {
    const [[taken]] = await this.transactions.writer.query<[{ token: string }[], number]>(
      `update services.services set lease_token = lease_token + 1,
              lease_expires_at = now() + $2 * interval '1 millisecond'
        where id = $1 returning lease_token::text as token`,
      [serviceId, leaseMs],
    );
    return taken!.token;
  }
}
