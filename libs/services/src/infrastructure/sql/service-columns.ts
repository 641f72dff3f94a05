import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { ServiceState } from '../../domain/service-state.js';

/** A row of services.services, every column under the name that the domain gives it. */
export const SERVICE_COLUMNS = `
  s.id, s.customer_id as "customerId", s.name, s.description, s.deployment_type as "deploymentType",
  s.template_name as "templateName", s.status, s.settled_status as "settledStatus", s.status_reason as "statusReason", s.desired_state as "desiredState",
  s.suspended, s.locked, s.cpu_cores as "cpuCores", s.memory_mb::float8 as "memoryMb", s.disk_mb::float8 as "diskMb",
  s.spec_version as "specVersion", s.current_deployment_id as "currentDeploymentId",
  s.container_ids as "containerIds", s.network_id as "networkId", s.port_mappings as "portMappings", s.endings,
  s.started_at as "startedAt", s.created_at as "createdAt"`;

/**
 * The status that the API shows for `service`, an alias. A service that a restore created is `starting` until its data
 * are there, so that nobody mistakes an empty database for the restored one.
 */
export const shownStatus = (service: string): string =>
  `case when ${service}.status = 'running' and exists (select 1 from services.template_services t
     where t.service_id = ${service}.id and t.awaits_data_since is not null) then 'starting' else ${service}.status end`;

export type ServiceRecord = Omit<ServiceState, 'resourceLimits'> & ServiceState['resourceLimits'];

export function toServiceState({ cpuCores, memoryMb, diskMb, ...rest }: ServiceRecord): ServiceState {
  // Times inside of JSON come back as texts.
  const reason = rest.statusReason && { ...rest.statusReason, at: new Date(rest.statusReason.at) };
  return { ...rest, statusReason: reason, resourceLimits: { cpuCores, memoryMb, diskMb } };
}

/** The condition that keeps a query inside a scope; `parameter` is bound to `scopeIds`. */
export const inScope = (parameter: string): string =>
  `(${parameter}::uuid[] is null or s.customer_id = any(${parameter}::uuid[]))`;

/** As `inScope`, with `own` bound to whether the scope sees what the panel runs for itself. */
export const inSight = (parameter: string, own: string): string =>
  `(not s.hidden or ${own}::boolean) and ${inScope(parameter)}`;

export function scopeIds(scope: OrganisationScope): readonly string[] | null {
  return scope.organisationIds;
}
