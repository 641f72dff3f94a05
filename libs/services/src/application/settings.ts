import type { QuotaLimits } from '../domain/quota/quota.js';

/** Settings of an installation, read once at start. */
export abstract class ServicesSettings {
  /** Registry hosts such as `registry.internal:5000` that are allowed although their names are not public. */
  abstract readonly allowedRegistries: ReadonlySet<string>;
  /** Name of this panel if several use one engine. Null if it is the only one. */
  abstract readonly instance: string | null;
  /** Host of the mirror for the images of templates. Null for Docker Hub. */
  abstract readonly templateRegistry: string | null;
  /** The one host address that published ports are bound to. */
  abstract readonly portBindAddress: string;
  /** Host ports of the panel itself. */
  abstract readonly reservedPorts: ReadonlySet<number>;
  /** The quota of top-level organisations for which none was set. */
  abstract readonly quotaDefaults: QuotaLimits;
  abstract readonly times: DeployTimes;
}

/** In milliseconds. */
export interface DeployTimes {
  /** How long a lease lasts: after this time without renewal, another worker takes over. */
  readonly lease: number;
  /** How long a container without a health check must run without exiting or restarting. */
  readonly gate: number;
  /** How long a container may take to become healthy or, if others wait for its exit, to complete. */
  readonly ready: number;
  /** Poll interval while waiting for containers. */
  readonly poll: number;
}

export const DEPLOY_TIMES: DeployTimes = { lease: 15_000, gate: 10_000, ready: 300_000, poll: 150 };

/** A deployment whose worker died this often is not retried, because it may be the cause. */
export const MAX_ATTEMPTS = 4;
