import type { DeploymentState } from '../../domain/deploying/deployment-state.js';
import type { ServiceState } from '../../domain/service-state.js';
import { appendServiceMade } from '../realtime/feed-sql.js';

/** Inserts a service with its first specification and deployment. One statement, so it is atomic by itself. */
export const NEW_SERVICE = {
  name: 'new-service',
  text: `
  with born as (
    insert into services.services (id, customer_id, name, description, deployment_type, template_name, status,
      settled_status, desired_state, suspended, locked, cpu_cores, memory_mb, disk_mb, spec_version, created_at,
      updated_at, hidden)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $25) returning *
  ), spec as (
    insert into services.specs (service_id, version, sealed, created_at, cpu_cores, memory_mb, disk_mb)
    values ($1, $15, $18, $16, $12, $13, $14)
  ), changed as (
    insert into services.deployments (id, service_id, trigger, status, user_id, api_key_id, spec_version,
      source_deployment_id, created_at, error_message)
    values ($19, $1, $20, $21, $22, $23, $15, null, $24, null) returning *
  )
  ${appendServiceMade()}`,
};

export function newServiceValues(
  service: ServiceState,
  sealedSpec: Buffer,
  deployment: DeploymentState,
  isOwn: boolean,
): unknown[] {
  const { resourceLimits: limits } = service;
  const { actor } = deployment;
  return [
    ...[service.id, service.customerId, service.name, service.description, service.deploymentType],
    ...[service.templateName, service.status, service.settledStatus, service.desiredState, service.suspended],
    ...[service.locked, limits.cpuCores, limits.memoryMb, limits.diskMb, service.specVersion],
    ...[service.createdAt, service.createdAt, sealedSpec],
    ...[deployment.id, deployment.trigger, deployment.status, actor.userId, actor.apiKeyId, deployment.createdAt],
    isOwn,
  ];
}
