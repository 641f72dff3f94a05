import type { SecretTemplate } from './secret-template.js';

/**
 * Everything that one service is on the engine, decided before anything is touched. The planner of a compose file
 * makes it. The engine's adapter carries it out and adds nothing but its own labels.
 *
 * By design it cannot express a bind mount, a host namespace, a device, a driver option or privileged mode.
 */
export interface ServicePlan {
  readonly serviceId: string;
  /** In start order: a container comes after its dependencies. Stop in reverse order. */
  readonly containers: readonly ContainerPlan[];
  /** Every network that a container joins: bridges of this service alone, or the one of its organisation. */
  readonly networks: readonly NetworkPlan[];
  /** Every volume that a container mounts: local volumes without driver options. */
  readonly volumes: readonly VolumePlan[];
  /** What was accepted but not taken literally. */
  readonly warnings: readonly PlanWarning[];
}

export interface PlanWarning {
  /** JSON pointer into the compose file, such as `/services/web/image`. Empty for the whole file. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export interface NetworkPlan {
  /** The name in the compose file, such as `backend`, or `default` if the file declares none. */
  readonly key: string;
  /** The name on the engine, such as `<service id>_backend`. */
  readonly name: string;
  /** No connections to or from the internet. */
  readonly internal: boolean;
  /** The owner whose services share it: an organisation or the panel. Missing for a network of this service alone. */
  readonly organisation?: string;
  readonly labels: ReadonlyMap<string, string>;
}

export interface VolumePlan {
  readonly key: string;
  /** The name on the engine, such as `<service id>_data`. */
  readonly name: string;
  /** Containers of two deployments may write to it at the same time. */
  readonly shared?: true;
  readonly labels: ReadonlyMap<string, string>;
}

export interface ContainerPlan {
  /** The name of the compose service, unique in the plan. Other containers reach it by this name. */
  readonly name: string;
  readonly image: ImageReference;
  /** Null: the default of the image. Empty: none. */
  readonly command: readonly string[] | null;
  readonly entrypoint: readonly string[] | null;
  readonly environment: ReadonlyMap<string, SecretTemplate>;
  readonly mounts: readonly VolumeMount[];
  readonly tmpfs: readonly TmpfsMount[];
  /** Inline secrets and configs, written into the container before it starts. */
  readonly files: readonly InlineFile[];
  readonly ports: readonly PortMapping[];
  /** Reachable only by containers on the same networks. */
  readonly expose: readonly ExposedPort[];
  readonly networks: readonly NetworkAttachment[];
  readonly dependsOn: readonly Dependency[];
  /** Null: the default of the image. */
  readonly healthcheck: Healthcheck | null;
  readonly restart: RestartPolicy;
  /** Null: the engine's 10 seconds. */
  readonly stopGraceMs: number | null;
  /** A name such as `SIGTERM`. Null: the default of the image. */
  readonly stopSignal: string | null;
  /** Run a small init process as PID 1 that forwards signals and reaps zombies. */
  readonly init: boolean;
  readonly readOnly: boolean;
  /** `1000:1000` or names. Null: the default of the image. */
  readonly user: string | null;
  readonly workingDir: string | null;
  readonly hostname: string | null;
  readonly shmSizeBytes: number | null;
  readonly ulimits: readonly Ulimit[];
  readonly tty: boolean;
  readonly stdinOpen: boolean;
  readonly extraHosts: readonly ExtraHost[];
  /** Addresses of resolvers. Empty: those of the engine. */
  readonly dns: readonly string[];
  /** The user's labels. None is in a reserved namespace. */
  readonly labels: ReadonlyMap<string, string>;
  readonly groupAdd: readonly string[];
  readonly security: SecurityProfile;
  readonly resources: ContainerResources;
  readonly logging: LogConfig;
}

/** A parsed reference such as `ghcr.io/acme/api:1.2@sha256:…`. */
export interface ImageReference {
  /** The full name that the engine pulls, with registry host and tag or digest. */
  readonly ref: string;
  /** Host with port, such as `docker.io` or `registry.example.com:5000`. */
  readonly registry: string;
  /** Without registry, tag and digest, such as `library/nginx`. */
  readonly repository: string;
  /** Null only if the reference has a digest and no tag. */
  readonly tag: string | null;
  /** `sha256:…`. Null until the registry has been asked what the tag refers to. */
  readonly digest: string | null;
}

export interface VolumeMount {
  /** The volume's name on the engine. */
  readonly volume: string;
  readonly target: string;
  readonly readOnly: boolean;
  /** Do not copy what the image holds at `target` into the empty volume. */
  readonly noCopy: boolean;
}

/** Always mounted with nosuid, nodev and noexec. */
export interface TmpfsMount {
  readonly target: string;
  readonly sizeBytes: number;
  /** Permission bits, such as 0o1777. */
  readonly mode: number;
  readonly uid: number | null;
  readonly gid: number | null;
}

export interface InlineFile {
  readonly kind: 'secret' | 'config';
  /** The name in the compose file. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly target: string;
  readonly content: SecretTemplate;
  readonly uid: number;
  readonly gid: number;
  /** Permission bits, such as 0o444. */
  readonly mode: number;
}

export type TransportProtocol = 'tcp' | 'udp';

export interface PortMapping {
  readonly hostIp: string;
  readonly hostPort: number;
  readonly containerPort: number;
  readonly protocol: TransportProtocol;
}

export interface ExposedPort {
  readonly port: number;
  readonly protocol: TransportProtocol;
}

export interface NetworkAttachment {
  /** The network's name on the engine. */
  readonly network: string;
  /**
   * Names by which others reach the container on this network. The name of the compose service comes first, except on
   * the organisation's network, where only the aliases given in the file are known.
   */
  readonly aliases: readonly string[];
}

export type DependencyCondition = 'service_started' | 'service_healthy' | 'service_completed_successfully';

export interface Dependency {
  /** Name of another container of the plan. */
  readonly container: string;
  readonly condition: DependencyCondition;
  /** Restart this container after the panel has restarted the other one. */
  readonly restart: boolean;
  /** False: start this container even if the dependency fails. */
  readonly required: boolean;
}

/** A null duration or count means the default of the image, or of the engine if the image has none. */
export interface Healthcheck {
  /** `['NONE']`, `['CMD', …]` or `['CMD-SHELL', line]`. Null: the test of the image, with the other values here. */
  readonly test: readonly string[] | null;
  readonly intervalMs: number | null;
  readonly timeoutMs: number | null;
  readonly startPeriodMs: number | null;
  readonly startIntervalMs: number | null;
  readonly retries: number | null;
}

export interface RestartPolicy {
  readonly name: 'no' | 'always' | 'on-failure' | 'unless-stopped';
  /** For `on-failure` only. 0 means no limit. */
  readonly maximumRetries: number;
}

export interface Ulimit {
  readonly name: string;
  readonly soft: number;
  readonly hard: number;
}

export interface ExtraHost {
  readonly host: string;
  readonly ip: string;
}

/** All capabilities are dropped, then `capAdd` is added. A process can never gain privileges it did not start with. */
export interface SecurityProfile {
  readonly noNewPrivileges: true;
  readonly capDrop: readonly ['ALL'];
  /** Without `CAP_`, sorted. */
  readonly capAdd: readonly string[];
}

export interface ContainerResources {
  /** Cores. Fractions are allowed: 0.5 is half a core. */
  readonly cpus: number;
  readonly memoryBytes: number;
  /** A soft limit that applies when the machine is short of memory. Null: none. */
  readonly memoryReservationBytes: number | null;
  readonly pids: number;
}

export interface LogConfig {
  readonly driver: 'json-file' | 'local';
  readonly maxSizeBytes: number;
  readonly maxFiles: number;
}
