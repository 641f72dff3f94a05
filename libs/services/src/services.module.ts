import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { TemplatesModule, type TemplateSettings } from '#libs/templates';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { KeyRing } from '#platform/key-ring';
import { ComposePlanner } from './application/intake/compose-planner.js';
import { DeployRunner } from './application/deploying/deploy-runner.js';
import { Dispatch } from './application/deploying/dispatch.js';
import { DiskLimits } from './application/monitoring/disk-limits.js';
import { Evidence } from './application/deploying/evidence.js';
import { GroupClosing } from './application/deploying/group-closing.js';
import { Acceptance } from './application/controlling/acceptance.js';
import { GroupControl } from './application/controlling/group-control.js';
import { GroupDeployment } from './application/deploying/group-deployment.js';
import { GroupOperator } from './application/controlling/group-operator.js';
import { GroupPreparation } from './application/deploying/group-preparation.js';
import { GroupReversal } from './application/deploying/group-reversal.js';
import { ImageSelection } from './application/deploying/image-selection.js';
import { DomainTargets } from './application/domains/domain-targets.js';
import { DomainVerification } from './application/domains/domain-verification.js';
import { IngressChanges } from './application/domains/ingress-changes.js';
import { IngressRoutes } from './application/domains/ingress-routes.js';
import { IngressSettings } from './application/domains/ingress-settings.js';
import { ServiceDomains } from './application/domains/service-domains.js';
import { EngineLook } from './application/monitoring/engine-look.js';
import { EngineMonitor } from './application/monitoring/engine-monitor.js';
import { MonitoringSettings } from './application/monitoring/monitoring-settings.js';
import { UnhealthyServices } from './application/monitoring/unhealthy-services.js';
import { BuildingSettings } from './application/building/building-settings.js';
import { KeptImages } from './application/building/kept-images.js';
import { SourceBuild } from './application/building/source-build.js';
import { Dockerfiles } from './application/building/dockerfiles.js';
import { Nixpacks } from './application/ports/git/nixpacks.js';
import { BuildRecords } from './application/ports/git/build-records.js';
import { BuildTurns } from './application/ports/git/build-turns.js';
import { GitDeploys } from './application/building/git-deploys.js';
import { PushHooks } from './application/hooks/push-hooks.js';
import { ImageBuilder } from './application/ports/git/image-builder.js';
import { ImageRegistry } from './application/ports/git/image-registry.js';
import { gitHostParts, gitHostServices, type GitHostOptions } from './git-host.providers.js';
import { SqlBuildRecords } from './infrastructure/git/sql/sql-build-records.js';
import { SqlBuildTurns } from './infrastructure/git/sql/sql-build-turns.js';
import { ComposeParser } from './application/ports/compose-parser.js';
import { ContainerExec } from './application/ports/engine/container-exec.js';
import { ContainerLogs } from './application/ports/engine/container-logs.js';
import { ContainerRuntime } from './application/ports/engine/container-runtime.js';
import { ContainerStreams } from './application/ports/engine/container-streams.js';
import { ScratchContainers } from './application/ports/engine/scratch-containers.js';
import { ContainerStats } from './application/ports/engine/container-stats.js';
import { DeployQueue } from './application/ports/deploy-queue.js';
import { DeploymentLog } from './application/ports/deployment-log.js';
import { DeploymentRepository } from './application/ports/deployment-repository.js';
import { FeedReader } from './application/ports/realtime/feed-reader.js';
import { DnsResolver } from './application/ports/ingress/dns-resolver.js';
import { DomainRepository } from './application/ports/ingress/domain-repository.js';
import { Ingress } from './application/ports/ingress/ingress.js';
import { GitCheckout } from './application/ports/git/git-checkout.js';
import { MonitoringQueries } from './application/ports/monitoring/monitoring-queries.js';
import { MonitoringStore } from './application/ports/monitoring/monitoring-store.js';
import { NetworkNames } from './application/ports/network-names.js';
import { PanelIdentity } from './application/ports/panel-identity.js';
import { SqlPanelIdentity } from './infrastructure/sql/sql-panel-identity.js';
import { OperationLedger } from './application/ports/operation-ledger.js';
import { QuotaRepository } from './application/ports/quota-repository.js';
import { RegistryReach } from './application/ports/engine/registry-reach.js';
import { SecretSource } from './application/ports/secret-source.js';
import { ServiceFeed } from './application/ports/realtime/service-feed.js';
import { ServiceQueries } from './application/ports/service-queries.js';
import { ServiceQuota } from './application/ports/service-quota.js';
import { ServiceRepository } from './application/ports/service-repository.js';
import { SpecStore } from './application/ports/spec-store.js';
import { SensitiveValues } from './application/logs/sensitive-values.js';
import { TemplateServices } from './application/ports/templates/template-services.js';
import { TemplateCommands } from './application/templates/template-commands.js';
import { TemplateCredentials } from './application/templates/template-credentials.js';
import { TemplateGate } from './application/templates/template-gate.js';
import { TemplateIntake } from './application/templates/template-intake.js';
import { TemplateRotation } from './application/templates/template-rotation.js';
import { TemplateSource } from './application/templates/template-source.js';
import { TemplateVersions } from './application/templates/template-versions.js';
import { TypeOrmTemplateServices } from './infrastructure/templates/typeorm-template-services.js';
import { SqlNetworkNames } from './infrastructure/sql/sql-network-names.js';
import { OrganisationQuotas } from './application/quota/organisation-quotas.js';
import { WatchTargets } from './application/ports/realtime/watch-targets.js';
import { FinishedWork } from './application/deploying/finished-work.js';
import { ReconcileServices } from './application/reconciling/reconcile-services.js';
import { ServiceControl } from './application/controlling/service-control.js';
import { ServiceChanges } from './application/intake/service-changes.js';
import { ServiceIntake } from './application/intake/service-intake.js';
import { ServiceRecords } from './application/service-records.js';
import { ServicesSettings } from './application/settings.js';
import { ServiceSources } from './application/intake/service-sources.js';
import { Specification } from './application/intake/specification.js';
import { WorkerComposeParser } from './infrastructure/compose/worker-compose-parser.js';
import { SqlMonitoringQueries } from './infrastructure/monitoring/sql-monitoring-queries.js';
import { SqlMonitoringStore } from './infrastructure/monitoring/sql-monitoring-store.js';
import type { IngressOptions } from './infrastructure/caddy/ingress-env.js';
import { TypeOrmDomainRepository } from './infrastructure/domains/typeorm-domain-repository.js';
import { OrganisationSecretSource } from './infrastructure/secrets/organisation-secret-source.js';
import { BullmqDeployQueue, DEPLOYMENTS_QUEUE } from './infrastructure/queue/bullmq-deploy-queue.js';
import { NoDeployQueue } from './infrastructure/queue/no-deploy-queue.js';
import { OrganisationServiceQuota } from './infrastructure/quota/organisation-service-quota.js';
import { SqlQuotaRepository } from './infrastructure/quota/sql-quota-repository.js';
import { SqlFeedReader } from './infrastructure/realtime/sql-feed-reader.js';
import { SqlWatchTargets } from './infrastructure/realtime/sql-watch-targets.js';
import { ResolvingRegistryReach } from './infrastructure/resolving-registry-reach.js';
import { SealedSpecStore } from './infrastructure/secrets/sealed-spec-store.js';
import { SqlDeploymentLog } from './infrastructure/sql/sql-deployment-log.js';
import { SqlDeploymentRepository } from './infrastructure/sql/sql-deployment-repository.js';
import { OwnServices } from './application/intake/own-services.js';
import { OwnServiceRepository } from './application/ports/own-service-repository.js';
import { SqlOwnServices } from './infrastructure/sql/sql-own-services.js';
import { SqlOperationLedger } from './infrastructure/sql/sql-operation-ledger.js';
import { SqlServiceFeed } from './infrastructure/sql/sql-service-feed.js';
import { SqlServiceQueries } from './infrastructure/sql/sql-service-queries.js';
import { SqlServiceRepository } from './infrastructure/sql/sql-service-repository.js';

export interface ServicesOptions {
  readonly settings: ServicesSettings;
  /** Null in a process that opens no specification. */
  readonly keyRing: KeyRing | null;
  readonly runtime: ContainerRuntime;
  readonly logs: ContainerLogs;
  readonly stats: ContainerStats;
  readonly exec: ContainerExec;
  readonly streams: ContainerStreams;
  readonly scratch: ScratchContainers;
  readonly templates: TemplateSettings;
  readonly checkout: GitCheckout;
  readonly gitHosts: GitHostOptions;
  readonly builder: ImageBuilder;
  readonly registry: ImageRegistry;
  readonly building: BuildingSettings;
  readonly nixpacks: Nixpacks;
  readonly monitoring: MonitoringSettings;
  readonly ingress: IngressOptions;
  /** False in a process without a queue: a worker finds what it stores. */
  readonly sendsJobs: boolean;
}

const adapters: Provider[] = [
  { provide: BuildRecords, useClass: SqlBuildRecords },
  { provide: BuildTurns, useClass: SqlBuildTurns },
  { provide: ComposeParser, useClass: WorkerComposeParser },
  { provide: DeploymentLog, useClass: SqlDeploymentLog },
  { provide: DeploymentRepository, useClass: SqlDeploymentRepository },
  { provide: MonitoringQueries, useClass: SqlMonitoringQueries },
  { provide: MonitoringStore, useClass: SqlMonitoringStore },
  { provide: NetworkNames, useClass: SqlNetworkNames },
  { provide: OwnServiceRepository, useClass: SqlOwnServices },
  { provide: OperationLedger, useClass: SqlOperationLedger },
  { provide: FeedReader, useClass: SqlFeedReader },
  { provide: DomainRepository, useClass: TypeOrmDomainRepository },
  { provide: SecretSource, useClass: OrganisationSecretSource },
  { provide: ServiceFeed, useClass: SqlServiceFeed },
  { provide: ServiceQueries, useClass: SqlServiceQueries },
  { provide: QuotaRepository, useClass: SqlQuotaRepository },
  { provide: ServiceQuota, useClass: OrganisationServiceQuota },
  { provide: ServiceRepository, useClass: SqlServiceRepository },
  { provide: WatchTargets, useClass: SqlWatchTargets },
  {
    provide: ComposePlanner,
    inject: [ComposeParser],
    useFactory: (parser: ComposeParser) => new ComposePlanner(parser),
  },
];

const parts: Provider[] = [
  Acceptance,
  Dispatch,
  EngineLook,
  Evidence,
  GroupClosing,
  GroupControl,
  GroupDeployment,
  GroupOperator,
  GroupPreparation,
  GroupReversal,
  ImageSelection,
  ServiceRecords,
  KeptImages,
  Dockerfiles,
  SourceBuild,
  Specification,
  TemplateCommands,
  TemplateGate,
  TemplateSource,
  TemplateRotation,
  TemplateVersions,
  UnhealthyServices,
  DomainTargets,
];

/** What the apps may ask for. */
const services = [
  GitDeploys,
  PushHooks,
  ...gitHostServices,
  ServiceIntake,
  ServiceChanges,
  ServiceSources,
  OwnServices,
  ServiceControl,
  DeployRunner,
  FinishedWork,
  ReconcileServices,
  DiskLimits,
  EngineMonitor,
  OrganisationQuotas,
  SensitiveValues,
  ServiceDomains,
  DomainVerification,
  IngressRoutes,
  IngressChanges,
  TemplateCredentials,
  TemplateIntake,
];

/** Needs the database, the queue and the panel's authentication, which are global. */
@Module({})
export class ServicesModule {
  static forRoot(options: ServicesOptions): DynamicModule {
    const { settings, keyRing, runtime, logs, stats, exec, templates, monitoring, ingress, sendsJobs } = options;
    const { checkout, gitHosts, builder, registry, building, streams, scratch } = options;
    const catalog = TemplatesModule.forRoot({ settings: templates });
    return {
      module: ServicesModule,
      imports: [catalog, ...(sendsJobs ? [BullModule.registerQueue({ name: DEPLOYMENTS_QUEUE })] : [])],
      providers: [
        { provide: ServicesSettings, useValue: settings },
        { provide: DeployQueue, useClass: sendsJobs ? BullmqDeployQueue : NoDeployQueue },
        {
          provide: SpecStore,
          inject: [TypeOrmTransactions],
          useFactory: (transactions: TypeOrmTransactions) => new SealedSpecStore(transactions, keyRing),
        },
        {
          provide: PanelIdentity,
          inject: [TypeOrmTransactions],
          useFactory: (transactions: TypeOrmTransactions) => new SqlPanelIdentity(transactions, settings.instance),
        },
        {
          provide: TemplateServices,
          inject: [TypeOrmTransactions],
          useFactory: (transactions: TypeOrmTransactions) => new TypeOrmTemplateServices(transactions, keyRing),
        },
        ...gitHostParts(gitHosts, keyRing),
        { provide: ContainerRuntime, useValue: runtime },
        { provide: ContainerLogs, useValue: logs },
        { provide: ContainerExec, useValue: exec },
        { provide: ContainerStats, useValue: stats },
        { provide: ContainerStreams, useValue: streams },
        { provide: ScratchContainers, useValue: scratch },
        { provide: GitCheckout, useValue: checkout },
        { provide: ImageBuilder, useValue: builder },
        { provide: ImageRegistry, useValue: registry },
        { provide: BuildingSettings, useValue: building },
        { provide: Nixpacks, useValue: options.nixpacks },
        { provide: MonitoringSettings, useValue: monitoring },
        { provide: IngressSettings, useValue: ingress.settings },
        { provide: Ingress, useValue: ingress.ingress },
        { provide: DnsResolver, useValue: ingress.resolver },
        { provide: RegistryReach, useValue: new ResolvingRegistryReach(reachable(settings)) },
        ...adapters,
        ...parts,
        ...services,
      ],
      exports: [
        catalog,
        ...services,
        ...[ContainerLogs, ContainerRuntime, DeploymentLog, FeedReader, MonitoringQueries, MonitoringSettings],
        IngressSettings,
        GitCheckout,
        ...[ServiceQueries, ServicesSettings, SpecStore, TemplateServices, WatchTargets],
        ...[ContainerExec, ContainerStreams, ScratchContainers, ServiceFeed, TemplateCommands],
      ],
    };
  }
}

/** Registries that may stand at a private address. */
function reachable({ allowedRegistries, templateRegistry }: ServicesSettings): ReadonlySet<string> {
  return templateRegistry === null ? allowedRegistries : new Set([...allowedRegistries, templateRegistry]);
}
