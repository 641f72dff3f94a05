export { ServicesModule, type ServicesOptions } from './services.module.js';
export { viewPlan } from './application/intake/plan-view.js';
export { shownDomain } from './application/domains/domain-status.js';
export { DomainVerification } from './application/domains/domain-verification.js';
export { IngressChanges } from './application/domains/ingress-changes.js';
export { IngressRoutes } from './application/domains/ingress-routes.js';
export { IngressSettings } from './application/domains/ingress-settings.js';
export { ServiceDomains, type DomainChange } from './application/domains/service-domains.js';
export {
  DOMAIN_STATUSES,
  TLS_MODES,
  VERIFICATION_METHODS,
  type DomainStatus,
  type ServiceDomain,
  type TlsMode,
} from './domain/domains/service-domain.js';
export { DiskLimits, type DiskFinding } from './application/monitoring/disk-limits.js';
export { DeployRunner } from './application/deploying/deploy-runner.js';
export { ContainerLogs, type LogLine, type LogRange } from './application/ports/engine/container-logs.js';
export {
  DeploymentLog,
  LOG_SOURCES,
  type DeploymentLogLine,
  type LogSource,
} from './application/ports/deployment-log.js';
export { ContainerExec, type ExecRequest, type ExecResult } from './application/ports/engine/container-exec.js';
export {
  ContainerStreams,
  type ProgramEnd,
  type RunningProgram,
  type StreamedCommand,
} from './application/ports/engine/container-streams.js';
export {
  ScratchContainers,
  type ScratchContainer,
  type ScratchState,
} from './application/ports/engine/scratch-containers.js';
export { TemplateCommands } from './application/templates/template-commands.js';
export type { LocalImage } from './application/ports/engine/container-runtime.js';
export { parseImageReference } from './domain/compose/values/image-reference.js';
export { FeedReader, type FeedEntry } from './application/ports/realtime/feed-reader.js';
export {
  FEED_EVENT_TYPES,
  ServiceFeed,
  type FeedEvent,
  type FeedEventType,
} from './application/ports/realtime/service-feed.js';
export { EngineMonitor } from './application/monitoring/engine-monitor.js';
export { MonitoringSettings } from './application/monitoring/monitoring-settings.js';
export { ContainerRuntime } from './application/ports/engine/container-runtime.js';
export type { ContainerHealth, ContainerLifecycle, RuntimeEvent } from './application/ports/engine/container-state.js';
export {
  METRICS_RANGES,
  MonitoringQueries,
  type GroupHealth,
  type CurrentMetrics,
  type MetricsPoint,
  type MetricsRange,
  type MetricsSummary,
  type ServiceDiskUsage,
  type ServiceHealth,
  type ServiceMetrics,
} from './application/ports/monitoring/monitoring-queries.js';
export {
  ServiceQueries,
  type DeploymentView,
  type ServiceFilter,
  type ServiceView,
  type VersionView,
} from './application/ports/service-queries.js';
export { SpecStore } from './application/ports/spec-store.js';
export {
  LogPages,
  wholeStamps,
  type LogPage,
  type LogPosition,
  type LogQuestion,
} from './application/logs/log-pages.js';
export { SensitiveValues } from './application/logs/sensitive-values.js';
export { OrganisationQuotas, type QuotaStanding } from './application/quota/organisation-quotas.js';
export { WatchTargets } from './application/ports/realtime/watch-targets.js';
export { FeedTail } from './application/realtime/feed-tail.js';
export { LogHub, type FollowedLog } from './application/realtime/log-hub.js';
export type { LogEntry } from './application/realtime/log-ring.js';
export type { LogGap } from './application/realtime/service-log.js';
export { ReconcileServices, type Ending, type ServiceFinding } from './application/reconciling/reconcile-services.js';
export type { AcceptedAction } from './application/controlling/acceptance.js';
export { ServiceControl } from './application/controlling/service-control.js';
export { ServiceChanges, type ChangePreview, type ServiceChange } from './application/intake/service-changes.js';
export { OwnServices, type RunningOwnService } from './application/intake/own-services.js';
export { ServiceSources, type ShownGitSource, type ShownSource } from './application/intake/service-sources.js';
export { TemplateServices } from './application/ports/templates/template-services.js';
export {
  TemplateCredentials,
  type Credentials,
  type RotatedCredentials,
} from './application/templates/template-credentials.js';
export { THE_PANEL } from './application/service-records.js';
export { TemplateIntake, type TemplateOrigin } from './application/templates/template-intake.js';
export type { TemplateSecrets, TemplateService } from './domain/templates/template-service.js';
export { ServiceIntake, type AcceptedService, type NewGitService } from './application/intake/service-intake.js';
export { DEPLOY_TIMES, ServicesSettings, type DeployTimes } from './application/settings.js';
export {
  DEPLOYMENT_STATUSES,
  DEPLOYMENT_TRIGGERS,
  type DeploymentActor,
  type DeploymentStatus,
  type DeploymentTrigger,
} from './domain/deploying/deployment-state.js';
export { DEPLOYMENT_STRATEGIES, STEP_NAMES, type DeploymentStrategy } from './domain/deploying/deploy-plan.js';
export { imageDigests } from './domain/deploying/group-topology.js';
export { OrganisationScope } from './domain/organisation-scope.js';
export { MAX_LIMITS, limitDefect, QUOTA_KINDS, type QuotaKind, type QuotaLimits } from './domain/quota/quota.js';
export { resourceLimits, type ResourceLimits } from './domain/resource-limits.js';
export type { ServiceAction } from './domain/service-actions.js';
export type { PortMapping, ServicePlan } from './domain/service-plan.js';
export { SERVICE_STATUSES, type DeploymentType, type ServiceStatus } from './domain/service-state.js';
export { DEPLOYMENTS_QUEUE, type DeployJob } from './infrastructure/queue/bullmq-deploy-queue.js';
export { diagnoseIngress } from './infrastructure/caddy/ingress-env.js';
export { diagnoseEngine, diagnoseSwarm } from './infrastructure/docker/runtime-env.js';
export { refuseHalfRegistry } from './infrastructure/docker/registry/build-registry.js';
export { servicesEnv, servicesOptionsOf } from './infrastructure/services-env.js';
export { subtree, textTree, type RepositoryTree, type TreeEntry } from './domain/detection/repository-tree.js';
export {
  FACTS,
  LANGUAGES,
  type Detection,
  type Evidence,
  type Fact,
  type Finding,
  type Language,
} from './domain/detection/detection.js';
export { parseGitAddress, type GitAddress, type ParsedGitAddress } from './domain/git/git-address.js';
export { isBranchName, parseGitRef, type GitRef } from './domain/git/git-ref.js';
export {
  ClonedRepository,
  CloneFailed,
  GitCheckout,
  type CloneProblem,
  type CloneRequest,
} from './application/ports/git/git-checkout.js';
export { detect } from './domain/detection/detect.js';
export { GitDeploys } from './application/building/git-deploys.js';
export type { DeliveryAnswer } from './application/hooks/delivery.js';
export { PushHooks, type MadeHook } from './application/hooks/push-hooks.js';
export { GitHostChoices, type GitHostChoice, type ShownGitHost } from './application/hooks/git-host-choices.js';
export { CommitStatusReports } from './application/statuses/commit-status-reports.js';
export { PreviewSweep } from './application/previews/preview-sweep.js';
export { COMMIT_STATES } from './domain/git/commit-status.js';
export { GIT_PROVIDERS, type GitProvider } from './domain/git/push-event.js';
export type { HookMessage } from './application/hooks/hook-signature.js';
export { HOOK_OUTCOMES, type HookDelivery } from './application/ports/git/git-hooks.js';
export { BUILD_METHODS, folderPath, type BuildMethod, type GitSource } from './domain/git/git-source.js';
export { removeAbandonedFolders } from './infrastructure/git/work-folders.js';
