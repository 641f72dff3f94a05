import { existsSync } from 'node:fs';
import { z } from 'zod';
import { flag } from '#platform/config/setting-types';
import type { ContainerExec } from '../../application/ports/engine/container-exec.js';
import type { ContainerLogs } from '../../application/ports/engine/container-logs.js';
import type { ContainerRuntime } from '../../application/ports/engine/container-runtime.js';
import type { ContainerStats } from '../../application/ports/engine/container-stats.js';
import type { ContainerStreams } from '../../application/ports/engine/container-streams.js';
import type { ScratchContainers } from '../../application/ports/engine/scratch-containers.js';
import { DockerodeContainerExec } from './streams/dockerode-container-exec.js';
import type { ImageBuilder } from '../../application/ports/git/image-builder.js';
import type { ImageRegistry } from '../../application/ports/git/image-registry.js';
import { FIREWALL_POLICIES } from './building/build-firewall.js';
import { BuildKitImageBuilder } from './building/buildkit/buildkit-image-builder.js';
import { EngineImageBuilder } from './building/engine-image-builder.js';
import { ClassicImageBuilder } from './building/classic-image-builder.js';
import { DockerodeContainerLogs } from './streams/dockerode-container-logs.js';
import { DockerodeContainerRuntime } from './dockerode-container-runtime.js';
import { DockerodeContainerStats } from './streams/dockerode-container-stats.js';
import { DockerodeContainerStreams } from './streams/dockerode-container-streams.js';
import { DockerodeScratchContainers } from './dockerode-scratch-containers.js';
import { BuildRegistry, buildRegistryEnv } from './registry/build-registry.js';
import { EngineImageRegistry } from './registry/engine-image-registry.js';
import { SwarmContainerExec } from './swarm/streams/swarm-container-exec.js';
import { SwarmContainerLogs } from './swarm/streams/swarm-container-logs.js';
import { SwarmContainerRuntime } from './swarm/swarm-container-runtime.js';
import { SwarmContainerStreams } from './swarm/streams/swarm-container-streams.js';
import { SwarmContainerStats } from './swarm/streams/swarm-container-stats.js';

const OF_THIS_MACHINE = 'unix:///var/run/docker.sock';
const DIAGNOSIS_MS = 5_000;

/** Which engine runs the containers, and whether as plain containers or in a swarm. */
export const runtimeEnv = {
  DOCKER_HOST: z
    .string()
    .regex(/^(unix:\/\/\/|tcp:\/\/|https?:\/\/)./, 'must be unix:///path or tcp://host:port')
    .default(OF_THIS_MACHINE),
  RUNTIME: z.enum(['engine', 'swarm'], 'must be engine or swarm').default('engine'),
  SWARM_ENCRYPT_NETWORKS: flag(false),
  ...buildRegistryEnv,
  BUILD_FIREWALL: z.enum(FIREWALL_POLICIES, `must be ${FIREWALL_POLICIES.join(', ')}`).default('auto'),
  BUILD_BUILDKIT: z.enum(['off', 'capped'], 'must be off or capped').default('off'),
  PANEL_INSTANCE: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/, 'must be letters, digits, dots, dashes and underscores')
    .optional(),
};

export type RuntimeEnv = z.output<z.ZodObject<typeof runtimeEnv>>;

/** The adapters that run containers and read their logs, statistics and output. */
export interface Engine {
  readonly runtime: ContainerRuntime;
  readonly stats: ContainerStats;
  readonly logs: ContainerLogs;
  readonly exec: ContainerExec;
  readonly streams: ContainerStreams;
  readonly scratch: ScratchContainers;
  readonly builder: ImageBuilder;
  readonly registry: ImageRegistry;
}

/** Never falls back: with `RUNTIME=swarm`, an engine that is not in a swarm counts as unavailable. */
export function engineOf(env: RuntimeEnv): Engine {
  const { host, instance, buildRegistry } = endpointOf(env);
  const [stats, logs] = [new DockerodeContainerStats({ host }), new DockerodeContainerLogs({ host })];
  const [exec, streams] = [new DockerodeContainerExec({ host }), new DockerodeContainerStreams({ host })];
  const scratch = new DockerodeScratchContainers({ host, instance });
  const builder = builderOf(env);
  const registry = new EngineImageRegistry({ host, registry: buildRegistry });
  const images = { builder, registry };
  if (env.RUNTIME === 'engine') {
    const runtime = new DockerodeContainerRuntime({ host, instance, buildRegistry });
    return { runtime, stats, logs, exec, streams, scratch, ...images };
  }
  const swarm = swarmOf(env);
  return {
    runtime: swarm,
    stats: new SwarmContainerStats(swarm, stats),
    logs: new SwarmContainerLogs(swarm, logs),
    exec: new SwarmContainerExec(swarm, exec),
    streams: new SwarmContainerStreams(swarm, streams),
    scratch,
    ...images,
  };
}

function builderOf(env: RuntimeEnv): ImageBuilder {
  const { host, instance } = endpointOf(env);
  const firewall = env.BUILD_FIREWALL;
  const classic = new ClassicImageBuilder({ host, instance, firewall });
  return env.BUILD_BUILDKIT === 'capped'
    ? new EngineImageBuilder(classic, new BuildKitImageBuilder({ host, firewall }))
    : classic;
}

type Problem = { readonly problem: string };

/** The doctor's finding about the engine; null if none is configured and this machine has none. */
export async function diagnoseEngine(env: RuntimeEnv): Promise<{ readonly version: string } | Problem | null> {
  if (env.DOCKER_HOST === OF_THIS_MACHINE && !existsSync(new URL(OF_THIS_MACHINE).pathname)) return null;
  return orProblem(async () => {
    const { engine } = await engineOf(env).runtime.version(AbortSignal.timeout(DIAGNOSIS_MS));
    return { version: engine };
  });
}

/** The doctor's finding about the swarm; null if none is used. */
export async function diagnoseSwarm(env: RuntimeEnv): Promise<{ readonly nodes: number } | Problem | null> {
  if (env.RUNTIME !== 'swarm') return null;
  return orProblem(async () => ({ nodes: await swarmOf(env).check() }));
}

function orProblem<T>(ask: () => Promise<T>): Promise<T | Problem> {
  return ask().catch((error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }));
}

function swarmOf(env: RuntimeEnv): SwarmContainerRuntime {
  return new SwarmContainerRuntime({ ...endpointOf(env), encryptNetworks: env.SWARM_ENCRYPT_NETWORKS });
}

function endpointOf(env: RuntimeEnv) {
  return { host: env.DOCKER_HOST, instance: env.PANEL_INSTANCE ?? null, buildRegistry: BuildRegistry.of(env) };
}
