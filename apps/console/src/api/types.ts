import type { paths } from './schema';

type Json<Operation> = Operation extends { responses: { 200: { content: { 'application/json': infer Body } } } }
  ? Body
  : never;

export type Service = Json<paths['/api/v1/services/{id}']['get']>;
export type ServiceStatus = Service['status'];
export type Deployment = Json<paths['/api/v1/services/{id}/deployments']['get']>['data'][number];
export type DeploymentStep = Deployment['steps'][number];
export type Health = Json<paths['/api/v1/services/{id}/health']['get']>;
export type ApiKey = Json<paths['/api/v1/api-keys']['get']>['keys'][number];
export type AuditEntry = Json<paths['/api/v1/audit']['get']>['data'][number];
export type Permissions = Json<paths['/api/v1/permissions']['get']>;
export type Permission = Permissions['effective'][number];
export type User = Json<paths['/api/v1/auth/me']['get']>['user'];

export type MetricsSummary = Json<paths['/api/v1/services/metrics/summary']['get']>['summaries'][string];
export type ServiceSource = Json<paths['/api/v1/services/{id}/source']['get']>;
export type Member = Json<paths['/api/v1/organisations/{id}/members']['get']>['data'][number];
export type Analysis = Json<paths['/api/v1/analyze/{id}']['get']>;
/** A change of a service: only what it names changes. */
export type ServiceChange = NonNullable<
  paths['/api/v1/services/{id}']['patch']['requestBody']
>['content']['application/json'];
export type GitSettings = Json<paths['/api/v1/services/{id}/git-settings']['get']>;
export type HookDelivery = Json<paths['/api/v1/services/{id}/hook-deliveries']['get']>['data'][number];
export type Backup = Json<paths['/api/v1/backups/{id}']['get']>;
export type BackupPolicyState = Json<paths['/api/v1/services/{id}/backup-policy']['get']>;
export type BackupPolicy = Omit<BackupPolicyState, 'nextRunAt'>;
export type Restore = Json<paths['/api/v1/services/{id}/restores']['get']>['data'][number];
export type Domain = Json<paths['/api/v1/services/{id}/domains']['get']>['data'][number];
export type Template = Json<paths['/api/v1/templates']['get']>['data'][number];
