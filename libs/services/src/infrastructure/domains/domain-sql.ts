import type { RoutedDomain } from '../../application/ports/ingress/domain-repository.js';
import type { ServiceDomain } from '../../domain/domains/service-domain.js';
import type { ServiceState } from '../../domain/service-state.js';

/** SQL, because every worker polls for sets of rows of two tables. */

export type RoutedRecord = Omit<RoutedDomain, 'service'> &
  Pick<ServiceState, 'desiredState' | 'suspended' | 'currentDeploymentId'> &
  Pick<ServiceDomain, 'serviceId'>;

const FROM = `from services.domains d join services.services s on s.id = d.service_id
   where d.status = 'active' and s.status <> 'removing'`;

export const ROUTED = `
  select d.id, d.host, d.tls, d.target_service as "targetService", d.target_port as "targetPort",
         d.service_id as "serviceId", s.desired_state as "desiredState", s.suspended,
         s.current_deployment_id as "currentDeploymentId"
    ${FROM} order by d.host`;

export const ROUTED_DIGEST = `
  select md5(coalesce(string_agg(concat_ws(' ', d.id, d.host, d.tls, d.target_service, d.target_port,
           s.desired_state, s.suspended, s.current_deployment_id), ',' order by d.host), '')) as digest
    ${FROM}`;

/** Postpones them by a minute for all other workers. If this worker dies, another one checks them after that. */
export const TAKE_DUE = `
  with due as (
    select id from services.domains where next_check_at <= $1 order by next_check_at limit $2 for update skip locked
  ), taken as (
    update services.domains d set next_check_at = $1::timestamptz + interval '1 minute' from due where d.id = due.id
    returning d.id
  )
  select id from taken`;

/** The primary active domain of the service `s`, as JSON of its host and TLS; null without one. */
export const PRIMARY_DOMAIN = `(
  select jsonb_build_object('host', d.host, 'tls', d.tls) from services.domains d
   where d.service_id = s.id and d.is_primary and d.status = 'active') as "primaryDomain"`;

export type PrimaryDomain = Pick<ServiceDomain, 'host' | 'tls'>;
