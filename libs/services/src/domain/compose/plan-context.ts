import type { OrganisationNetwork } from '../organisation-network.js';

/** Everything besides the file that determines the plan. It contains nothing from the host's environment or files. */
export interface PlanContext {
  /** Prefix of every name on the engine. */
  readonly serviceId: string;
  readonly resourceLimits: { readonly cpuCores: number; readonly memoryMb: number; readonly diskMb: number };
  /** The network that `x-panel: organisation` refers to. */
  readonly organisationNetwork: OrganisationNetwork;
  /** Values for `${NAME}`. They come only from the request. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether the caller may publish ports, which only administrators may. */
  readonly portsAllowed: boolean;
  /** The one host address that published ports are bound to. */
  readonly portBindAddress: string;
  /** Host ports of the panel itself. */
  readonly reservedPorts: ReadonlySet<number>;
  /** Registry hosts such as `registry.internal:5000` that are allowed although their names are not public. */
  readonly allowedRegistries: ReadonlySet<string>;
}

export const DEFAULT_BIND_ADDRESS = '127.0.0.1';
export const MAX_SERVICES = 20;
