import type { Uuid } from '#kernel/crypto/uuid';
import type { Deployment } from '../../domain/deploying/deployment.js';

/**
 * A lease on one service. It expires unless it is renewed. The next holder gets a higher fencing token, so that a
 * worker that was frozen in the meantime is recognised as late.
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

/** What the holder learns whenever it checks its lease. */
export interface LeaseState {
  readonly cancelRequested: boolean;
}

export abstract class OperationLedger {
  /**
   * Claims the next operation of the service. One whose worker died comes before a queued one.
   * @returns null if there is nothing to do or another worker holds the lease
   */
  abstract claim(serviceId: Uuid, leaseMs: number, now: Date): Promise<Claim | null>;
  /** @throws LeaseLost */
  abstract renew(lease: Lease, leaseMs: number): Promise<LeaseState>;
  /** @throws LeaseLost */
  abstract check(lease: Lease): Promise<LeaseState>;
  /** Runs `work` in a transaction in which nobody else can take the lease. @throws LeaseLost */
  abstract whileHeld<T>(lease: Lease, work: () => Promise<T>): Promise<T>;
  /** Releases the lease at once. A lost lease is not an error. */
  abstract release(lease: Lease): Promise<void>;
}
