import { EngineUnavailable } from '../../../application/ports/engine/container-runtime-errors.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import type { SwarmNode } from './swarm-api.js';
import { notInSwarm } from './swarm-errors.js';
import { NO_NEW_PRIVILEGES } from './to-service-spec.js';

/** Minor number of the first API version (1.44) in which a service can set `no-new-privileges`. */
const API_WITH_PRIVILEGES = 44;

/** The part of `GET /info` about the swarm. */
interface SwarmInfo {
  readonly NodeID?: string;
  readonly LocalNodeState?: string;
  readonly ControlAvailable?: boolean;
}

/** @returns the id of the connected node @throws EngineUnavailable when it is not a swarm manager */
export async function managerNode(connection: EngineConnection, signal?: AbortSignal): Promise<string> {
  const { Swarm: swarm } = (await connection.ask(signal, (docker) => docker.info())) as { Swarm?: SwarmInfo };
  if (swarm?.ControlAvailable && swarm.NodeID) return swarm.NodeID;
  const state = swarm?.LocalNodeState === 'active' ? 'is a worker of a swarm' : 'is in no swarm';
  throw new EngineUnavailable(
    `The Docker engine ${state}, but RUNTIME=swarm needs a manager: run "docker swarm init" there, or set RUNTIME=engine.`,
  );
}

export async function saysNoNewPrivileges(connection: EngineConnection, signal?: AbortSignal): Promise<boolean> {
  const { api } = await connection.version(signal);
  return Number(api.split('.')[1]) >= API_WITH_PRIVILEGES;
}

/** @throws ContainerCreateFailed when no node of the swarm has all these labels */
export async function requirePromises(
  connection: EngineConnection,
  promises: readonly (readonly [label: string, value: string])[],
  signal?: AbortSignal,
): Promise<void> {
  if (promises.length === 0) return;
  const nodes = (await connection.ask(signal, (docker) => docker.listNodes())) as readonly SwarmNode[];
  const labelsOf = ({ Description }: SwarmNode) => Description?.Engine?.Labels ?? {};
  if (nodes.some((node) => promises.every(([label, value]) => labelsOf(node)[label] === value))) return;
  const wanted = promises.map(([label, value]) => `${label}=${value}`).join(' and ');
  throw notInSwarm('security', `no node of the swarm has ${wanted} among the labels of its engine (docs/scaling.md).`);
}

/** @returns the number of nodes @throws EngineUnavailable; ContainerCreateFailed when none of them may run services */
export async function checkSwarm(connection: EngineConnection): Promise<number> {
  await managerNode(connection);
  const promises = (await saysNoNewPrivileges(connection)) ? [] : [[NO_NEW_PRIVILEGES, 'true'] as const];
  await requirePromises(connection, promises);
  return ((await connection.ask(undefined, (docker) => docker.listNodes())) as readonly SwarmNode[]).length;
}
