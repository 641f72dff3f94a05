import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import type { Clock } from '#kernel/time/clock';
import { PanelAuthModule } from '#libs/panel-auth';
import {
  ServicesModule,
  type ContainerLogs,
  type ContainerExec,
  type ContainerRuntime,
  type DeployTimes,
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
import { Pipeline } from './pipeline.js';

/** Short times, except for the lease, which must not expire on a busy machine. Tests expire leases with `endLeases`. */
export const FAST: DeployTimes = { lease: 5_000, gate: 60, ready: 3_000, poll: 10 };

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

/** A builder whose images the given runtime can run. */
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

/**
 * Retries until the parser responds. Its threads first load the TypeScript compiler, which can exceed the time limit.
 */
async function warmUp(parser: ComposeParser): Promise<void> {
  const file = 'services: {web: {image: registry.example.com/web}}';
  const read = () =>
    parser.parse(file, aContext()).then(
      () => true,
      () => false,
    );
  await eventually(read, (isRead) => isRead);
}
