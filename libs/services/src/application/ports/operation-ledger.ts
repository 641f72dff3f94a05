import type { Uuid } from '#kernel/crypto/uuid';
import type { Deployment } from '../../domain/deploying/deployment.js';

/**
 * The right to work on one service. It ends by itself unless it is renewed, and whoever gets it next has a higher
 * token, so that a worker that was frozen meanwhile is recognised as late.
 */
export interface Lease {
  readonly serviceId: Uuid;
  readonly deploymentId: Uuid;
  readonly token: string;
}

export interface Claim {
  readonly lease: Lease;
  /** In status `running`, with the attempts counted up. */
  readonly deployment: Deployment;
}

/** What a holder learns with every look at its lease. */
export interface LeaseState {
  readonly cancelRequested: boolean;
}

export abstract class OperationLedger {
  /**
   * Takes up the next operation of the service: the one whose worker is gone before the one that waits.
   * @returns null when there is nothing to do or somebody else is at it
   */
  abstract claim(serviceId: Uuid, leaseMs: number, now: Date): Promise<Claim | null>;
  /** @throws LeaseLost */
  abstract renew(lease: Lease, leaseMs: number): Promise<LeaseState>;
  /** @throws LeaseLost */
  abstract check(lease: Lease): Promise<LeaseState>;
  /** Runs `work` in a transaction in which nobody else can take the lease. @throws LeaseLost */
  abstract whileHeld<T>(lease: Lease, work: () => Promise<T>): Promise<T>;
  /** Lets the next one in at once; a lost lease is fine. */
  abstract release(lease: Lease): Promise<void>;
}
