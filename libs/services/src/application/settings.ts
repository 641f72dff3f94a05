import type { QuotaLimits } from '../domain/quota/quota.js';

/** The choices of an installation, read once at start. */
export abstract class ServicesSettings {
  /** Registry hosts, `registry.internal:5000`, allowed although their name is not a public one. */
  abstract readonly allowedRegistries: ReadonlySet<string>;
  /** Name of this panel among several on one engine; null for the only one. */
  abstract readonly instance: string | null;
  /** Host of the mirror that the images of templates come from; null: Docker Hub. */
  abstract readonly templateRegistry: string | null;
  /** The one host address that published ports are bound to. */
  abstract readonly portBindAddress: string;
  /** Host ports of the panel itself. */
  abstract readonly reservedPorts: ReadonlySet<number>;
  /** Of the topmost organisations for which no quota was set. */
  abstract readonly quotaDefaults: QuotaLimits;
  abstract readonly times: DeployTimes;
}

/** In milliseconds. */
export interface DeployTimes {
  /** How long a lease lasts: after this time without renewal, another worker takes over. */
  readonly lease: number;
  /** How long a container without a health check must run without an end or a restart. */
  readonly gate: number;
  /** How long a container may take to become healthy, or to do its work when others wait for it. */
  readonly ready: number;
  /** Poll interval while waiting for containers. */
  readonly poll: number;
}

export const DEPLOY_TIMES: DeployTimes = { lease: 15_000, gate: 10_000, ready: 300_000, poll: 150 };

/** A deployment whose worker died this often is not retried: it may be the cause. */
export const MAX_ATTEMPTS = 4;
