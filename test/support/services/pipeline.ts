import { randomBytes } from 'node:crypto';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import type { Clock } from '#kernel/time/clock';
import type { Uuid } from '#kernel/crypto/uuid';
import { PanelAuthModule } from '#libs/panel-auth';
import {
  DeployRunner,
  OrganisationScope,
  ReconcileServices,
  resourceLimits,
  ServiceControl,
  ServiceDomains,
  ServiceIntake,
  ServiceQueries,
  ServicesModule,
  type ContainerLogs,
  type ContainerExec,
  type ContainerRuntime,
  type DeploymentView,
  type DeployTimes,
  type ServiceAction,
  type ServiceDomain,
  type ServiceView,
} from '#libs/services';
import { ClockModule } from '#platform/clock.module';
import { DatabaseModule } from '#platform/database/database.module';
import { KeyRing } from '#platform/key-ring';
import { QueueModule } from '#platform/queue/queue.module';
import { ComposeParser } from '../../../libs/services/src/application/ports/compose-parser.js';
import type { Ingress } from '../../../libs/services/src/application/ports/ingress/ingress.js';
import type { DnsResolver } from '../../../libs/services/src/application/ports/ingress/dns-resolver.js';
import { parseHostName } from '../../../libs/services/src/domain/domains/host-name.js';
import { NoIngress } from '../../../libs/services/src/infrastructure/caddy/no-ingress.js';
import type { ContainerStats } from '../../../libs/services/src/application/ports/engine/container-stats.js';
import { BUILD_LIMITS } from '../../../libs/services/src/application/building/building-settings.js';
import type { ImageBuilder } from '../../../libs/services/src/application/ports/git/image-builder.js';
import type { GitCheckout } from '../../../libs/services/src/application/ports/git/git-checkout.js';
import { BuildRegistry } from '../../../libs/services/src/infrastructure/docker/registry/build-registry.js';
import { EngineImageRegistry } from '../../../libs/services/src/infrastructure/docker/registry/engine-image-registry.js';
import { ClassicImageBuilder } from '../../../libs/services/src/infrastructure/docker/building/classic-image-builder.js';
import { nixpacksOf } from '../../../libs/services/src/infrastructure/git/building-env.js';
import { gitCheckoutOf, gitHostApiOf } from '../../../libs/services/src/infrastructure/git/git-env.js';
import { RegistryReach } from '../../../libs/services/src/application/ports/engine/registry-reach.js';
import { ServiceQuota } from '../../../libs/services/src/application/ports/service-quota.js';
import { DockerodeContainerLogs } from '../../../libs/services/src/infrastructure/docker/streams/dockerode-container-logs.js';
import { DockerodeContainerExec } from '../../../libs/services/src/infrastructure/docker/streams/dockerode-container-exec.js';
import { DockerodeContainerStreams } from '../../../libs/services/src/infrastructure/docker/streams/dockerode-container-streams.js';
import { DockerodeScratchContainers } from '../../../libs/services/src/infrastructure/docker/dockerode-scratch-containers.js';
import { DockerodeContainerStats } from '../../../libs/services/src/infrastructure/docker/streams/dockerode-container-stats.js';
import { aContext } from '../builders/a-plan-context.js';
import { FakeContainerLogs } from '../docker/fakes/fake-container-logs.js';
import { FakeContainerRuntime } from '../docker/fakes/fake-container-runtime.js';
import { FakeImageBuilder } from '../docker/fakes/building/fake-image-builder.js';
import { engineHost } from '../docker/engine-http.js';
import { eventually } from '../docker/eventually.js';
import { FakeDnsResolver } from '../ingress/fake-dns-resolver.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';

const NOBODY = { userId: null, apiKeyId: null };
/** A lease outlives the worst moments of a busy machine; `endLeases` ends those that a test wants ended. */
export const FAST: DeployTimes = { lease: 5_000, gate: 60, ready: 3_000, poll: 10 };

/** The pipeline without HTTP and without workers: tests call the runner when it is its turn. */
export class Pipeline {
  readonly intake: ServiceIntake;
  readonly control: ServiceControl;
  readonly runner: DeployRunner;
  readonly reconcile: ReconcileServices;
  readonly queries: ServiceQueries;
  readonly domains: ServiceDomains;
  private names = 0;

  constructor(
    readonly app: INestApplicationContext,
    readonly database: TestDatabase,
    readonly times: DeployTimes,
  ) {
    this.intake = app.get(ServiceIntake);
    this.control = app.get(ServiceControl);
    this.runner = app.get(DeployRunner);
    this.reconcile = app.get(ReconcileServices);
    this.queries = app.get(ServiceQueries);
    this.domains = app.get(ServiceDomains);
  }

  /** Accepted, and not carried out. */
  async accept(composeYaml: string, given: { customerId?: Uuid; variables?: Record<string, string> } = {}) {
    this.names += 1;
    const request = {
      name: `service ${this.names} ${randomBytes(3).toString('hex')}`,
      composeYaml,
      portsAllowed: true,
      description: null,
      customerId: given.customerId ?? null,
      resourceLimits: resourceLimits({ memoryMb: 2048, cpuCores: 4 }),
      variables: new Map(Object.entries(given.variables ?? {})),
    };
    return this.intake.fromCompose(request, NOBODY);
  }

  /** Accepted and carried out. */
  async create(composeYaml: string, given: { customerId?: Uuid; variables?: Record<string, string> } = {}) {
    const accepted = await this.accept(composeYaml, given);
    await this.runner.run(accepted.deploymentId);
    return accepted.serviceId;
  }

  ask(serviceId: Uuid, action: Exclude<ServiceAction, 'update' | 'rollback'>) {
    return this.control.act(OrganisationScope.everything, serviceId, action, NOBODY);
  }

  /** Asks for an action and carries it out. @returns its deployment as it ended; null when the service is gone */
  async do(serviceId: Uuid, action: Exclude<ServiceAction, 'update' | 'rollback'>): Promise<DeploymentView | null> {
    const { deploymentId } = await this.ask(serviceId, action);
    if (deploymentId) await this.runner.run(deploymentId);
    return this.last(serviceId);
  }

  async rollback(serviceId: Uuid, deploymentId: Uuid): Promise<DeploymentView | null> {
    const accepted = await this.control.rollback(OrganisationScope.all, serviceId, deploymentId, NOBODY);
    await this.runner.run(accepted.deploymentId!);
    return this.last(serviceId);
  }

  cancel(deploymentId: Uuid): Promise<DeploymentView> {
    return this.control.cancel(OrganisationScope.all, deploymentId);
  }

  /** A domain that leads to the container `web`. */
  nameOnTheWeb(serviceId: Uuid, host: string, targetService = 'web'): Promise<ServiceDomain> {
    const asked = { host, targetService, targetPort: 8080, isPrimary: null, tls: 'automatic' } as const;
    return this.domains.add(OrganisationScope.all, serviceId, asked, NOBODY);
  }

  domainsOf(serviceId: Uuid): Promise<readonly ServiceDomain[]> {
    return this.domains.list(OrganisationScope.all, serviceId);
  }

  service(serviceId: Uuid): Promise<ServiceView | null> {
    return this.queries.get(OrganisationScope.all, serviceId);
  }

  /** Newest first. */
  async deployments(serviceId: Uuid): Promise<readonly DeploymentView[]> {
    return (await this.queries.deployments(OrganisationScope.all, serviceId, { offset: 0, limit: 100 })) ?? [];
  }

  async last(serviceId: Uuid): Promise<DeploymentView | null> {
    return (await this.deployments(serviceId))[0] ?? null;
  }

  /** What a worker does after a crash, once the leases of the dead have ended: it takes up what is open. */
  async recover(): Promise<void> {
    await this.endLeases();
    await this.workOff();
    await this.reconcile.survey();
    await this.workOff();
  }

  /** As if the time of every lease had passed. */
  async endLeases(): Promise<void> {
    await this.sql("update services.services set lease_expires_at = now() - interval '1 second'");
  }

  /** Carries out everything that is open. */
  async workOff(): Promise<void> {
    for (const id of await this.open()) await this.runner.run(id);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }

  private async open(): Promise<Uuid[]> {
    const open = await this.sql("select id from services.deployments where status in ('queued', 'running')");
    return (open as { id: Uuid }[]).map(({ id }) => id);
  }

  private sql(statement: string): Promise<unknown> {
    return this.app.get(DataSource).query(statement);
  }
}

export async function startPipeline(
  runtime: ContainerRuntime,
  given: {
    times?: Partial<DeployTimes>;
    registries?: readonly string[];
    keyRing?: KeyRing;
    database?: TestDatabase;
    quota?: ServiceQuota;
    ingress?: Ingress;
    baseDomain?: string;
    resolver?: DnsResolver;
    reach?: RegistryReach;
    stats?: ContainerStats;
    logs?: ContainerLogs;
    clock?: Clock;
    exec?: ContainerExec;
    templateRegistry?: string;
    checkout?: GitCheckout;
    builder?: ImageBuilder;
  } = {},
): Promise<Pipeline> {
  const database = given.database ?? (await createTestDatabase());
  const keyRing = given.keyRing ?? KeyRing.parse(`k1:${randomBytes(32).toString('base64')}`);
  const times = { ...FAST, ...given.times };
  const settings = {
    allowedRegistries: new Set(given.registries ?? ['registry.example.com']),
    instance: null,
    templateRegistry: given.templateRegistry ?? null,
    portBindAddress: '127.0.0.1',
    reservedPorts: new Set<number>(),
    quotaDefaults: { services: null, cpuCores: null, memoryMb: null, diskMb: null },
    times,
  };
  const stats = given.stats ?? new DockerodeContainerStats({ host: engineHost() });
  const logs =
    given.logs ??
    (runtime instanceof FakeContainerRuntime
      ? new FakeContainerLogs()
      : new DockerodeContainerLogs({ host: engineHost() }));
  const exec = given.exec ?? new DockerodeContainerExec({ host: engineHost() });
  const engine = { host: engineHost(), instance: null };
  const templates = { registry: given.templateRegistry ?? null };
  const sources = {
    nixpacks: nixpacksOf({ NIXPACKS_PATH: '' }),
    checkout: given.checkout ?? gitCheckoutOf({ GIT_ALLOWED_HOSTS: [] }),
    gitHosts: { api: gitHostApiOf({ GIT_ALLOWED_HOSTS: [] }), statuses: { panelUrl: 'https://panel.test' } },
    builder: given.builder ?? builderBeside(runtime),
    registry: new EngineImageRegistry({ host: engineHost(), registry: new BuildRegistry() }),
    building: { limits: BUILD_LIMITS, baseImages: {}, registry: null, hasBuildKit: false, hasNixpacks: false },
  };
  const monitoring = { intervalMs: 10_000, autoRecovery: true };
  const ingress = ingressOf(given.ingress ?? new NoIngress(), given);
  const auth = {
    cookieDomain: null,
    rolePolicy: { adminEmails: new Set<string>(), claim: null },
    keyCountPolicy: { perCustomer: 10, perOrganisation: 10, perAdmin: 10 },
    customerKeyRpm: 600,
    legacyLogin: false,
  };
  @Module({
    imports: [
      ClockModule.forRoot(given.clock),
      DatabaseModule.forRoot({ url: database.url, poolSize: 10, applicationName: 'test', entities, migrations }),
      QueueModule.forRoot({ databaseUrl: database.url, redisUrl: undefined, poolSize: 3 }),
      PanelAuthModule.forRoot({ settings: auth, oidc: null, keyRing }),
      ServicesModule.forRoot({
        settings,
        keyRing,
        runtime,
        stats,
        logs,
        exec,
        templates,
        monitoring,
        ingress,
        ...sources,
        streams: new DockerodeContainerStreams(engine),
        scratch: new DockerodeScratchContainers(engine),
        sendsJobs: true,
      }),
    ],
  })
  class PipelineModule {}
  const builder = Test.createTestingModule({ imports: [PipelineModule] });
  if (given.quota) builder.overrideProvider(ServiceQuota).useValue(given.quota);
  if (given.reach) builder.overrideProvider(RegistryReach).useValue(given.reach);
  const app = await (await builder.compile()).init();
  await warmUp(app.get(ComposeParser));
  return new Pipeline(app, database, times);
}

/** Its images are found by the runtime. */
function builderBeside(runtime: ContainerRuntime): ImageBuilder {
  return runtime instanceof FakeContainerRuntime
    ? new FakeImageBuilder(runtime.state)
    : new ClassicImageBuilder({ host: engineHost() });
}

function ingressOf(ingress: Ingress, given: { baseDomain?: string; resolver?: DnsResolver }) {
  const baseDomain = given.baseDomain === undefined ? null : parseHostName(given.baseDomain);
  const ownHosts = new Set(['panel.test', ...(baseDomain === null ? [] : [baseDomain])]);
  const settings = { isOn: ingress.isOn, baseDomain, ownHosts, httpPort: 80, httpsPort: 443 };
  return { settings, ingress, resolver: given.resolver ?? new FakeDnsResolver() };
}

/** From source the threads of the parser first learn TypeScript, which a busy machine does not manage in their time. */
async function warmUp(parser: ComposeParser): Promise<void> {
  const file = 'services: {web: {image: registry.example.com/web}}';
  const read = () =>
    parser.parse(file, aContext()).then(
      () => true,
      () => false,
    );
  await eventually(read, (isRead) => isRead);
}
