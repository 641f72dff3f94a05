import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { urlOf } from '../../application/domains/domain-status.js';
import { IngressSettings } from '../../application/domains/ingress-settings.js';
import {
  ServiceQueries,
  type DeploymentView,
  type ServiceFilter,
  type ServiceView,
  type ShownPreview,
  type Slice,
  type VersionView,
} from '../../application/ports/service-queries.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { ServiceAlarm, StatusReason } from '../../domain/service-state.js';
import { DEPLOYMENT_COLUMNS, toDeploymentState, type DeploymentRecord } from './deployment-columns.js';
import { PRIMARY_DOMAIN, type PrimaryDomain } from '../domains/domain-sql.js';
import {
  inScope,
  inSight,
  scopeIds,
  SERVICE_COLUMNS,
  shownStatus,
  toServiceState,
  type ServiceRecord,
} from './service-columns.js';

type ViewRecord = ServiceRecord & {
  readonly updatedAt: Date;
  readonly primaryDomain: PrimaryDomain | null;
  readonly awaitsDataSince: Date | null;
  readonly alarm: StoredAlarm | null;
  readonly preview: StoredPreview | null;
};

/** Times inside of JSON come back as texts. */
type StoredPreview = Omit<ShownPreview, 'expiresAt'> & { readonly expiresAt: string };
type StoredAlarm = Omit<ServiceAlarm, 'at'> & { readonly at: string };

const AWAITS_DATA = `(select t.awaits_data_since from services.template_services t where t.service_id = s.id)`;
const ALARM = `(select t.alarm from services.template_services t where t.service_id = s.id)`;
const PREVIEW = `(select jsonb_build_object('parentServiceId', v.parent_id, 'pullRequest', v.pull_request,
    'expiresAt', v.expires_at) from services.previews v where v.service_id = s.id)`;
const VIEW_COLUMNS = `${SERVICE_COLUMNS}, s.updated_at as "updatedAt", ${PRIMARY_DOMAIN},
  ${AWAITS_DATA} as "awaitsDataSince", ${ALARM} as alarm, ${PREVIEW} as preview`;

@Injectable()
export class SqlServiceQueries extends ServiceQueries {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly clock: Clock,
    private readonly ingress: IngressSettings,
  ) {
    super();
  }

  async get(scope: OrganisationScope, id: Uuid): Promise<ServiceView | null> {
    const rows: ViewRecord[] = await this.transactions.reader.query(
      `select ${VIEW_COLUMNS} from services.services s where s.id = $1 and ${inSight('$2', '$3')}`,
      [id, scopeIds(scope), scope.seesOwn],
    );
    return rows[0] ? this.view(rows[0]) : null;
  }

  async list(scope: OrganisationScope, { status, search }: ServiceFilter, { offset, limit }: Slice) {
    const where = `not s.hidden and ${inScope('$1')} and ($2::text is null or ${shownStatus('s')} = $2)
      and ($3::text is null or s.name ilike $3)`;
    const filter = [scopeIds(scope), status, search === null ? null : `%${escapeLike(search)}%`];
    const [counted]: { total: number }[] = await this.transactions.reader.query(
      `select count(*)::int as total from services.services s where ${where}`,
      filter,
    );
    const rows: ViewRecord[] = await this.transactions.reader.query(
      `select ${VIEW_COLUMNS} from services.services s where ${where}
        order by s.created_at desc, s.id desc offset $4 limit $5`,
      [...filter, offset, limit],
    );
    return { services: rows.map((row) => this.view(row)), total: counted!.total };
  }

  async versions(scope: OrganisationScope, id: Uuid, { offset, limit }: Slice): Promise<readonly VersionView[] | null> {
    if (!(await this.get(scope, id))) return null;
    const rows: (Omit<VersionView, 'actor'> & VersionView['actor'])[] = await this.transactions.reader.query(
      `select p.version as number, p.created_at as "createdAt", made.user_id as "userId",
              made.api_key_id as "apiKeyId", coalesce(served.id, made.id) as "deploymentId",
              s.current_deployment_id is not null and p.version = s.spec_version as current
         from services.specs p
         join services.services s on s.id = p.service_id
         left join lateral (
           select d.id, d.user_id, d.api_key_id from services.deployments d
            where d.service_id = p.service_id and d.spec_version = p.version
            order by d.created_at, d.id limit 1) made on true
         left join lateral (
           select d.id from services.deployments d
            where d.service_id = p.service_id and d.spec_version = p.version and d.proven_at is not null
            order by d.created_at desc, d.id desc limit 1) served on true
        where p.service_id = $1 order by p.version desc offset $2 limit $3`,
      [id, offset, limit],
    );
    return rows.map(({ userId, apiKeyId, ...version }) => ({ ...version, actor: { userId, apiKeyId } }));
  }

  async deployment(scope: OrganisationScope, id: Uuid): Promise<DeploymentView | null> {
    const rows: DeploymentRecord[] = await this.transactions.reader.query(
      `select ${DEPLOYMENT_COLUMNS} from services.deployments d join services.services s on s.id = d.service_id
        where d.id = $1 and not s.hidden and ${inScope('$2')}`,
      [id, scopeIds(scope)],
    );
    return rows[0] ? toDeploymentState(rows[0]) : null;
  }

  async deployments(
    scope: OrganisationScope,
    id: Uuid,
    { offset, limit }: Slice,
  ): Promise<readonly DeploymentView[] | null> {
    if (!(await this.get(scope, id))) return null;
    const rows: DeploymentRecord[] = await this.transactions.reader.query(
      `select ${DEPLOYMENT_COLUMNS} from services.deployments d where d.service_id = $1
        order by d.created_at desc, d.id desc offset $2 limit $3`,
      [id, offset, limit],
    );
    return rows.map(toDeploymentState);
  }

  private view({ updatedAt, primaryDomain, awaitsDataSince, alarm, preview, ...row }: ViewRecord): ServiceView {
    const service = toServiceState(row);
    const { id, name, description, status, deploymentType, containerIds, networkId, portMappings } = service;
    const { templateName, customerId, resourceLimits, createdAt, startedAt } = service;
    const url = primaryDomain && this.ingress.isOn ? urlOf(primaryDomain, this.ingress) : null;
    const ranMs = startedAt === null ? null : this.clock.now().getTime() - startedAt.getTime();
    const reason = status === 'error' || status === 'stopped' ? service.statusReason : null;
    const restoring = status === 'running' && awaitsDataSince ? restoringSince(awaitsDataSince) : null;
    return {
      status: restoring ? 'starting' : status,
      statusReason: reason ?? restoring ?? (alarm && { ...alarm, deploymentId: null, at: new Date(alarm.at) }),
      id,
      name,
      description,
      deploymentType,
      containerIds,
      networkId,
      portMappings,
      templateName,
      customerId,
      resourceLimits,
      createdAt,
      updatedAt,
      url,
      startedAt,
      uptimeSeconds: ranMs === null ? null : Math.max(0, Math.floor(ranMs / 1000)),
      ...(preview && { preview: { ...preview, expiresAt: new Date(preview.expiresAt) } }),
    };
  }
}

/** Escapes the characters that LIKE would treat as a pattern. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

function restoringSince(at: Date): StatusReason {
  const message = 'Its data are still being restored; its credentials are withheld until they are there.';
  return { code: 'restoring', message, deploymentId: null, at };
}
