import { SwarmContainerRuntime } from '../../../libs/services/src/infrastructure/docker/swarm/swarm-container-runtime.js';
import type { FileInContainer, RuntimeBed } from '../../contract/container-runtime-bed.js';
import { openEngineBed, runIn } from './docker-runtime-bed.js';
import { engineHost, engineJson, engineRequest } from './engine-http.js';
import { SwarmEngine } from './own-engine/swarm-engine.js';

export interface SwarmBed extends RuntimeBed {
  readonly swarm: SwarmEngine;
  readonly runtime: SwarmContainerRuntime;
}

/** A swarm of one node and a registry. Sets `DOCKER_HOST`, so that the engine tools use the swarm. */
export async function openSwarmBed(): Promise<SwarmBed> {
  const swarm = await SwarmEngine.start();
  process.env.DOCKER_HOST = swarm.host;
  let runtime!: SwarmContainerRuntime;
  const bed = await openEngineBed((instance) => {
    runtime = new SwarmContainerRuntime({ host: engineHost(), instance });
    return runtime;
  }, '0.0.0.0');
  const containerOf = async (id: string): Promise<string> => {
    const containerId = await runtime.containerIdOf(id);
    if (containerId === null) throw new Error(`${id} has no container on this node`);
    return containerId;
  };
  return {
    ...bed,
    swarm,
    runtime,
    // Files are secrets in a swarm. They are mounts, which the engine omits from its archives.
    readFile: async (id, path) => readInside(await containerOf(id), path),
    writeFile: async (id, path, text) => bed.writeFile(await containerOf(id), path, text),
    reaches: async (id, host) => bed.reaches(await containerOf(id), host),
    makeForeign: async (kind, name) => (kind === 'container' ? foreignService(name) : bed.makeForeign(kind, name)),
    foreignStands: async (kind, name) =>
      kind === 'container'
        ? (await engineRequest('GET', `/services/${name}`)).status === 200
        : bed.foreignStands(kind, name),
    close: async () => {
      await bed.close();
      await swarm.remove();
    },
  };
}

/** In a swarm, names belong to services. */
async function foreignService(Name: string): Promise<{ forget(): Promise<void> }> {
  const TaskTemplate = { ContainerSpec: { Image: 'test-foreign:1' } };
  await engineJson('POST', '/services/create', { Name, TaskTemplate, Mode: { Replicated: { Replicas: 0 } } });
  return {
    forget: async () => {
      await engineRequest('DELETE', `/services/${Name}`);
    },
  };
}

async function readInside(containerId: string, path: string): Promise<FileInContainer> {
  const { exitCode, output } = await runIn(containerId, ['stat', '-c', '%u %g %a', path]);
  if (exitCode !== 0) throw new Error(`cannot read ${path}: ${output}`);
  const [uid = '', gid = '', mode = ''] = output.trim().split(' ');
  // Without capabilities even root cannot read files of others, so the owner reads it.
  const { output: text } = await runIn(containerId, ['cat', path], `${uid}:${gid}`);
  return { text, uid: Number(uid), gid: Number(gid), mode: Number.parseInt(mode, 8) };
}
