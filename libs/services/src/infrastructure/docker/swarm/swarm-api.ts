import type { ContainerCreateOptions } from 'dockerode';

/**
 * The parts of the swarm API (`/services`, `/tasks`, `/nodes`) that are used here. dockerode has types for few of them.
 */
export interface ServiceSpec {
  readonly Name: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly TaskTemplate: TaskTemplate;
  readonly Mode: { readonly Replicated: { readonly Replicas: number } };
  readonly UpdateConfig: UpdateConfig;
  readonly RollbackConfig: UpdateConfig;
  readonly EndpointSpec: { readonly Mode: 'dnsrr'; readonly Ports?: readonly PortConfig[] };
}

export interface UpdateConfig {
  readonly Parallelism: number;
  readonly Order: 'start-first' | 'stop-first';
  readonly FailureAction: 'rollback' | 'pause';
}

export interface PortConfig {
  readonly Protocol: string;
  readonly TargetPort: number;
  readonly PublishedPort: number;
  readonly PublishMode: 'host';
}

export interface TaskTemplate {
  readonly ContainerSpec: SwarmContainerSpec;
  readonly Resources: object;
  readonly RestartPolicy: {
    readonly Condition: 'none' | 'on-failure' | 'any';
    readonly Delay?: number;
    readonly MaxAttempts?: number;
  };
  readonly Networks: readonly { readonly Target: string; readonly Aliases?: readonly string[] }[];
  readonly Placement: { readonly Constraints?: readonly string[] };
  readonly LogDriver: object;
  /** Increased with every start, so that the tasks of a start can be told from those of earlier ones. */
  readonly ForceUpdate: number;
}

export interface SwarmContainerSpec {
  readonly Image: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Command?: readonly string[];
  readonly Args?: readonly string[];
  readonly Env: readonly string[];
  readonly Hostname?: string;
  readonly Dir?: string;
  readonly User?: string;
  readonly Groups?: readonly string[];
  readonly Privileges?: { readonly NoNewPrivileges: true };
  readonly TTY: boolean;
  readonly OpenStdin: boolean;
  readonly ReadOnly: boolean;
  readonly Init: boolean;
  readonly Mounts: readonly Mount[];
  readonly StopSignal?: string;
  readonly StopGracePeriod?: number;
  readonly Healthcheck?: ContainerCreateOptions['Healthcheck'];
  readonly Hosts: readonly string[];
  readonly DNSConfig?: { readonly Nameservers: readonly string[] };
  readonly Secrets?: readonly SecretReference[];
  readonly CapabilityAdd: readonly string[];
  readonly CapabilityDrop: readonly string[];
  readonly Ulimits: readonly object[];
}

export interface Mount {
  readonly Type: 'volume' | 'tmpfs';
  readonly Source?: string;
  readonly Target: string;
  readonly ReadOnly?: boolean;
  readonly VolumeOptions?: { readonly NoCopy: boolean };
  readonly TmpfsOptions?: { readonly SizeBytes: number; readonly Mode?: number };
}

export interface SecretReference {
  readonly SecretID: string;
  readonly SecretName: string;
  readonly File: { readonly Name: string; readonly UID: string; readonly GID: string; readonly Mode: number };
}

export interface SwarmService {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: ServiceSpec;
}

export type TaskState =
  | 'new'
  | 'pending'
  | 'assigned'
  | 'accepted'
  | 'preparing'
  | 'ready'
  | 'starting'
  | 'running'
  | 'complete'
  | 'shutdown'
  | 'failed'
  | 'rejected'
  | 'remove'
  | 'orphaned';

export interface SwarmTask {
  readonly ID: string;
  readonly CreatedAt: string;
  readonly ServiceID: string;
  readonly NodeID?: string;
  readonly DesiredState: TaskState;
  readonly Spec: { readonly ForceUpdate?: number; readonly ContainerSpec?: Partial<SwarmContainerSpec> };
  readonly Status: {
    readonly Timestamp: string;
    readonly State: TaskState;
    readonly Err?: string;
    readonly ContainerStatus?: { readonly ContainerID?: string; readonly ExitCode?: number };
  };
  readonly NetworksAttachments?: readonly {
    readonly Network: { readonly Spec: { readonly Name: string } };
    readonly Addresses?: readonly string[];
  }[];
}

export interface SwarmNode {
  readonly ID: string;
  readonly Description?: {
    readonly Hostname?: string;
    readonly Engine?: { readonly Labels?: Readonly<Record<string, string>> | null };
  };
}
