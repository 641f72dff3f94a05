import type { SecretTemplate } from './secret-template.js';

/**
 * What one service of the panel is on the engine: the whole of it, decided before anything is touched. The planner
 * of a compose file makes it, the engine's adapter carries it out and adds nothing but its own labels.
 *
 * There is deliberately no way to say bind mount, host namespace, device, driver option or privileged here.
 */
export interface ServicePlan {
  readonly serviceId: string;
  /** In start order: a container stands after all it depends on. Stop in reverse. */
  readonly containers: readonly ContainerPlan[];
  /** Bridges of this service alone, or its organisation's; every network that a container joins is among them. */
  readonly networks: readonly NetworkPlan[];
  /** Local volumes without driver options; every volume that a container mounts is among them. */
  readonly volumes: readonly VolumePlan[];
  /** What was accepted but not taken literally. */
  readonly warnings: readonly PlanWarning[];
}

export interface PlanWarning {
  /** JSON pointer into the compose file, `/services/web/image`; empty for the file as a whole. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export interface NetworkPlan {
  /** The name in the compose file, `backend`; `default` when the file declares none. */
  readonly key: string;
  /** The name on the engine, `<service id>_backend`. */
  readonly name: string;
  /** No way out to the internet and none in. */
  readonly internal: boolean;
  /** Whose services share it, an organisation or `panel`; missing for a network of this service alone. */
  readonly organisation?: string;
  readonly labels: ReadonlyMap<string, string>;
}

export interface VolumePlan {
  readonly key: string;
  /** The name on the engine, `<service id>_data`. */
  readonly name: string;
  /** Containers of two deployments may write into it at once. */
  readonly shared?: true;
  readonly labels: ReadonlyMap<string, string>;
}

export interface ContainerPlan {
  /** The compose service's name, unique in the plan; other containers reach it by this name. */
  readonly name: string;
  readonly image: ImageReference;
  /** Null: the image's own. Empty: none. */
  readonly command: readonly string[] | null;
  readonly entrypoint: readonly string[] | null;
  readonly environment: ReadonlyMap<string, SecretTemplate>;
  readonly mounts: readonly VolumeMount[];
  readonly tmpfs: readonly TmpfsMount[];
  /** Inline secrets and configs, written into the container before it starts. */
  readonly files: readonly InlineFile[];
  readonly ports: readonly PortMapping[];
  /** Open to the containers of the same networks only. */
  readonly expose: readonly ExposedPort[];
  readonly networks: readonly NetworkAttachment[];
  readonly dependsOn: readonly Dependency[];
  /** Null: the image's own. */
  readonly healthcheck: Healthcheck | null;
  readonly restart: RestartPolicy;
  /** Null: the engine's 10 seconds. */
  readonly stopGraceMs: number | null;
  /** `SIGTERM` style; null: the image's own. */
  readonly stopSignal: string | null;
  /** A small init process as PID 1, which reaps and forwards signals. */
  readonly init: boolean;
  readonly readOnly: boolean;
  /** `1000:1000` or names; null: the image's own. */
  readonly user: string | null;
  readonly workingDir: string | null;
  readonly hostname: string | null;
  readonly shmSizeBytes: number | null;
  readonly ulimits: readonly Ulimit[];
  readonly tty: boolean;
  readonly stdinOpen: boolean;
  readonly extraHosts: readonly ExtraHost[];
  /** Addresses of resolvers; empty: the engine's own. */
  readonly dns: readonly string[];
  /** The user's labels; none of them lies in a reserved namespace. */
  readonly labels: ReadonlyMap<string, string>;
  readonly groupAdd: readonly string[];
  readonly security: SecurityProfile;
  readonly resources: ContainerResources;
  readonly logging: LogConfig;
}

/** A parsed reference: `ghcr.io/acme/api:1.2@sha256:…`. */
export interface ImageReference {
  /** What the engine pulls: full name with registry host, tag or digest. */
  readonly ref: string;
  /** `docker.io`, `ghcr.io`, `registry.example.com:5000`. */
  readonly registry: string;
  /** Without registry, tag and digest: `library/nginx`. */
  readonly repository: string;
  /** Null only when a digest stands alone. */
  readonly tag: string | null;
  /** `sha256:…`, or null while the registry still decides what the tag means. */
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

/** Always with nosuid, nodev and noexec. */
export interface TmpfsMount {
  readonly target: string;
  readonly sizeBytes: number;
  /** Permission bits, 0o1777. */
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
  /** Permission bits, 0o444. */
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
   * Names under which the container is found there; the compose service's own comes first, but for the organisation's
   * network, where only the names that the file gives are known.
   */
  readonly aliases: readonly string[];
}

export type DependencyCondition = 'service_started' | 'service_healthy' | 'service_completed_successfully';

export interface Dependency {
  /** Name of another container of the plan. */
  readonly container: string;
  readonly condition: DependencyCondition;
  /** Restart this container after the panel restarts that one. */
  readonly restart: boolean;
  /** False: when the dependency fails, start all the same. */
  readonly required: boolean;
}

/** Null durations and retries: the image's, else the engine's defaults. */
export interface Healthcheck {
  /** `['NONE']`, `['CMD', …]`, `['CMD-SHELL', line]`; null: the image's own test with the other values here. */
  readonly test: readonly string[] | null;
  readonly intervalMs: number | null;
  readonly timeoutMs: number | null;
  readonly startPeriodMs: number | null;
  readonly startIntervalMs: number | null;
  readonly retries: number | null;
}

export interface RestartPolicy {
  readonly name: 'no' | 'always' | 'on-failure' | 'unless-stopped';
  /** For `on-failure` only; 0: without end. */
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

/** All capabilities are dropped, then these are added; a process can never gain privileges it did not start with. */
export interface SecurityProfile {
  readonly noNewPrivileges: true;
  readonly capDrop: readonly ['ALL'];
  /** Without `CAP_`, sorted. */
  readonly capAdd: readonly string[];
}

export interface ContainerResources {
  /** Cores, 0.5 = half of one. */
  readonly cpus: number;
  readonly memoryBytes: number;
  /** A soft limit that holds when the machine is short of memory; null: none. */
  readonly memoryReservationBytes: number | null;
  readonly pids: number;
}

export interface LogConfig {
  readonly driver: 'json-file' | 'local';
  readonly maxSizeBytes: number;
  readonly maxFiles: number;
}
