import type { TransportProtocol } from '../../../domain/service-plan.js';

/** To what a container belongs, according to its `panel.*` labels. These are reliable even after a crash. */
export interface ContainerOwner {
  readonly serviceId: string;
  readonly deploymentId: string;
  /** The container's name in the plan. */
  readonly role: string;
  /** The `specHash` of the plan that it was created from. */
  readonly specHash: string;
}

export type ContainerLifecycle = 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';

/** `none` means that neither the image nor the plan has a health check. */
export type ContainerHealth = 'none' | 'starting' | 'healthy' | 'unhealthy';

export interface OwnedContainer {
  readonly id: string;
  readonly name: string;
  readonly owner: ContainerOwner;
  /** Id of the image that it was created from, `sha256:…`. */
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

/** Everything on the engine with our labels, running or not. */
export interface OwnedResources {
  readonly containers: readonly OwnedContainer[];
  readonly networks: readonly OwnedNetwork[];
  readonly volumes: readonly OwnedVolume[];
}

/** The disk use of one service on the engine. */
export interface DiskUse {
  readonly volumes: readonly { readonly name: string; readonly bytes: number }[];
  /** What each container has written outside its volumes. */
  readonly containers: readonly { readonly id: string; readonly writableBytes: number }[];
  /** The images of its containers. `shared` if containers of other services use them too. */
  readonly images: readonly { readonly ref: string; readonly bytes: number; readonly shared: boolean }[];
}

export interface ContainerDetails extends OwnedContainer {
  readonly health: ContainerHealth;
  /** Number of consecutive failed health checks. */
  readonly failingStreak: number;
  readonly lastProbe: HealthProbe | null;
  /** How often the engine's restart policy has started it again. */
  readonly restartCount: number;
  /** Null while it runs and before its first start. */
  readonly exitCode: number | null;
  /** The main process was killed because memory ran out. The kill of a child process is not reported. */
  readonly oomKilled: boolean;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** The engine's message about a failed start. */
  readonly error: string | null;
  readonly publishedPorts: readonly PublishedPort[];
  readonly networks: readonly AttachedNetwork[];
  /**
   * The address at which a program on the engine's machine, such as the ingress, reaches it. Null if it is not running,
   * has no network or is on another node.
   */
  readonly hostAddress: string | null;
}

export interface HealthProbe {
  readonly at: Date;
  readonly exitCode: number;
  /** At most 4096 characters. Untrusted, because the container writes it. */
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

/** An event of one of our containers. */
export interface ContainerEvent {
  readonly kind: 'container';
  readonly change: ContainerChange;
  readonly containerId: string;
  readonly serviceId: string;
  readonly deploymentId: string;
  readonly at: Date;
  /** Null except for `died`. */
  readonly exitCode: number | null;
  /** Null except for `health`. */
  readonly health: ContainerHealth | null;
}

/** The connection to the engine was lost and is back. Events in between may be missing. */
export interface EventsResumed {
  readonly kind: 'resumed';
}

export type RuntimeEvent = ContainerEvent | EventsResumed;
