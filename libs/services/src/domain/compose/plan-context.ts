import type { OrganisationNetwork } from '../organisation-network.js';

/** All that decides about a compose file beside the file itself. Nothing of the host: no environment, no files. */
export interface PlanContext {
  /** Prefix of every name on the engine. */
  readonly serviceId: string;
  readonly resourceLimits: { readonly cpuCores: number; readonly memoryMb: number; readonly diskMb: number };
  /** What `x-panel: organisation` stands for. */
  readonly organisationNetwork: OrganisationNetwork;
  /** Values for `${NAME}`, from the request alone. */
  readonly variables: ReadonlyMap<string, string>;
  /** Published ports are an administrator's to give. */
  readonly portsAllowed: boolean;
  /** The one host address that published ports are bound to. */
  readonly portBindAddress: string;
  /** Host ports of the panel itself. */
  readonly reservedPorts: ReadonlySet<number>;
  /** Registry hosts, `registry.internal:5000`, allowed although their name is not a public one. */
  readonly allowedRegistries: ReadonlySet<string>;
}

export const DEFAULT_BIND_ADDRESS = '127.0.0.1';
export const MAX_SERVICES = 20;
