import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { violates } from '#platform/database/database-errors';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { ServiceRepository } from '../../application/ports/service-repository.js';
import type { Deployment } from '../../domain/deploying/deployment.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { PortMapping } from '../../domain/service-plan.js';
import type { ServiceState } from '../../domain/service-state.js';
import { Service } from '../../domain/service.js';
import { HostPortTaken, ServiceNameTaken, UnknownCustomer } from '../../domain/services-errors.js';
import { forgetMonitoring } from '../monitoring/monitoring-statements.js';
import { NEW_SERVICE, newServiceValues } from './new-service-sql.js';
import { appendServiceRemoved, appendServiceStatus } from '../realtime/feed-sql.js';
import { inSight, scopeIds, SERVICE_COLUMNS, toServiceState, type ServiceRecord } from './service-columns.js';

@Injectable()
export class SqlServiceRepository extends ServiceRepository {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly clock: Clock,
  ) {
    super();
  }

  async insert(service: Service, sealedSpec: Buffer, deployment: Deployment, isOwn = false): Promise<void> {
    try {
      await this.transactions.atOnce(NEW_SERVICE, newServiceValues(service.state, sealedSpec, deployment.state, isOwn));
    } catch (error) {
      throw refused(error);
    }
  }

  get(scope: OrganisationScope, id: Uuid): Promise<Service | null> {
    return this.one(scope, id, '');
  }

  getForUpdate(scope: OrganisationScope, id: Uuid): Promise<Service | null> {
    return this.one(scope, id, 'for update');
  }

  async update({ state: service }: Service): Promise<void> {
    try {
      await this.transactions.writer.query(
        `with before as (select status from services.services where id = $1), changed as (
         update services.services set status = $2, settled_status = $3, desired_state = $4, suspended = $5, locked = $6,
           spec_version = $7, current_deployment_id = $8, container_ids = $9, network_id = $10, port_mappings = $11,
           endings = $12, started_at = $13, updated_at = $14, name = $15, description = $16, customer_id = $17,
           cpu_cores = $18, memory_mb = $19, disk_mb = $20, status_reason = $21
         where id = $1 returning id, customer_id, hidden, status, updated_at as at)
       ${appendServiceStatus('c.status <> (select b.status from before b)')}`,
        [
          ...[service.id, service.status, service.settledStatus, service.desiredState, service.suspended],
          ...[service.locked, service.specVersion, service.currentDeploymentId, service.containerIds],
          ...[service.networkId, JSON.stringify(service.portMappings), service.endings, service.startedAt],
          this.clock.now(),
          ...[service.name, service.description, service.customerId],
          ...[service.resourceLimits.cpuCores, service.resourceLimits.memoryMb, service.resourceLimits.diskMb],
          service.statusReason && JSON.stringify(service.statusReason),
        ],
      );
    } catch (error) {
      throw refused(error);
    }
  }

  async delete(id: Uuid): Promise<void> {
    await this.transactions.writer.query(
      `with gone as (delete from services.services where id = $1 returning id, customer_id, hidden)
       ${appendServiceRemoved('$2::timestamptz')}`,
      [id, this.clock.now()],
    );
    await forgetMonitoring(this.transactions.writer, [id]);
  }

  async all(): Promise<readonly ServiceState[]> {
    const rows: ServiceRecord[] = await this.transactions.reader.query(
      `select ${SERVICE_COLUMNS} from services.services s order by s.created_at, s.id`,
    );
    return rows.map(toServiceState);
  }

  async claimPorts(serviceId: Uuid, ports: readonly PortMapping[]): Promise<void> {
    for (const { hostIp, hostPort, protocol } of ports) {
      const taken: { serviceId: Uuid }[] = await this.transactions.writer.query(
        `insert into services.host_ports (host_ip, host_port, protocol, service_id) values ($1, $2, $3, $4)
         on conflict on constraint host_ports_once do update set protocol = excluded.protocol
         returning service_id as "serviceId"`,
        [hostIp, hostPort, protocol, serviceId],
      );
      if (taken[0]?.serviceId !== serviceId) throw new HostPortTaken(`${hostIp}:${hostPort}/${protocol}`);
    }
  }

  async releaseOtherPorts(serviceId: Uuid, ports: readonly PortMapping[]): Promise<void> {
    await this.transactions.writer.query(
      `delete from services.host_ports p
        where p.service_id = $1 and not exists (
          select 1 from unnest($2::inet[], $3::int[], $4::text[]) as kept (ip, port, protocol)
           where kept.ip = p.host_ip and kept.port = p.host_port and kept.protocol = p.protocol)`,
      [serviceId, ports.map((port) => port.hostIp), ports.map((port) => port.hostPort), ports.map((p) => p.protocol)],
    );
  }

  private async one(scope: OrganisationScope, id: Uuid, lock: string): Promise<Service | null> {
    const manager = lock ? this.transactions.writer : this.transactions.reader;
    const rows: ServiceRecord[] = await manager.query(
      `select ${SERVICE_COLUMNS} from services.services s where s.id = $1 and ${inSight('$2', '$3')} ${lock}`,
      [id, scopeIds(scope), scope.seesOwn],
    );
    return rows[0] ? Service.restore(toServiceState(rows[0])) : null;
  }
}

function refused(error: unknown): unknown {
  if (violates(error, 'services_name')) return new ServiceNameTaken();
  return violates(error, 'services_customer_id_fkey') ? new UnknownCustomer() : error;
}
