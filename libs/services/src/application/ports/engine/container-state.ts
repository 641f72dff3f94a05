import type { TransportProtocol } from '../../../domain/service-plan.js';

/** Whose a container is: what the labels `panel.*` of the engine say, the truth after a crash. */
export interface ContainerOwner {
  readonly serviceId: string;
  readonly deploymentId: string;
  /** The container's name in the plan. */
  readonly role: string;
  /** Of the plan it was made from (`specHash`). */
  readonly specHash: string;
}

export type ContainerLifecycle = 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';

/** `none`: neither the image nor the plan has a health check. */
export type ContainerHealth = 'none' | 'starting' | 'healthy' | 'unhealthy';

export interface OwnedContainer {
  readonly id: string;
  readonly name: string;
  readonly owner: ContainerOwner;
  /** `sha256:…` of the image it was made from. */
  readonly imageId: string;
  readonly lifecycle: ContainerLifecycle;
}

export interface OwnedNetwork {
  readonly id: string;
  readonly name: string;
  readonly serviceId: string;
  readonly internal: boolean;
}

export interface OwnedVolume {
  readonly name: string;
  readonly serviceId: string;
}

/** Everything on the engine that carries our labels, running or not. */
export interface OwnedResources {
  readonly containers: readonly OwnedContainer[];
  readonly networks: readonly OwnedNetwork[];
  readonly volumes: readonly OwnedVolume[];
}

/** What one service keeps on the engine's disk. */
export interface DiskUse {
  readonly volumes: readonly { readonly name: string; readonly bytes: number }[];
  /** What each container has written beside its volumes. */
  readonly containers: readonly { readonly id: string; readonly writableBytes: number }[];
  /** Those its containers are made from; `shared`: containers of others are as well. */
  readonly images: readonly { readonly ref: string; readonly bytes: number; readonly shared: boolean }[];
}

export interface ContainerDetails extends OwnedContainer {
  readonly health: ContainerHealth;
  /** Failed probes in a row. */
  readonly failingStreak: number;
  readonly lastProbe: HealthProbe | null;
  /** How often the engine's restart policy has started it again. */
  readonly restartCount: number;
  /** Null while it runs and before its first start. */
  readonly exitCode: number | null;
  /** The main process was killed because memory ran out; the kill of a child process does not show here. */
  readonly oomKilled: boolean;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** What the engine said about a failed start. */
  readonly error: string | null;
  readonly publishedPorts: readonly PublishedPort[];
  readonly networks: readonly AttachedNetwork[];
  /**
   * Where a program on the engine's own machine, such as the ingress, reaches it. Null while it does not run, where it
   * has no network, and for a container on another node.
   */
  readonly hostAddress: string | null;
}

export interface HealthProbe {
  readonly at: Date;
  readonly exitCode: number;
  /** At most 4096 characters; written by the container, so never to be trusted. */
  readonly output: string;
}

export interface PublishedPort {
  readonly containerPort: number;
  readonly protocol: TransportProtocol;
  readonly hostIp: string;
  readonly hostPort: number;
}

export interface AttachedNetwork {
  readonly network: string;
  /** Null while the container does not run. */
  readonly ipAddress: string | null;
}

export type ContainerChange =
  | 'created'
  | 'started'
  | 'died'
  | 'out-of-memory'
  | 'killed'
  | 'removed'
  | 'renamed'
  | 'paused'
  | 'unpaused'
  | 'health';

/** Something happened to one of our containers. */
export interface ContainerEvent {
  readonly kind: 'container';
  readonly change: ContainerChange;
  readonly containerId: string;
  readonly serviceId: string;
  readonly deploymentId: string;
  readonly at: Date;
  /** With `died` only. */
  readonly exitCode: number | null;
  /** With `health` only. */
  readonly health: ContainerHealth | null;
}

/** The connection to the engine was lost and is back: whatever happened in between may not have been told. */
export interface EventsResumed {
  readonly kind: 'resumed';
}

export type RuntimeEvent = ContainerEvent | EventsResumed;
