import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { LicenseReconciliation } from '#libs/licensing';

/**
 * The second run is for a process that died just before the start and is not recognised as dead yet. The third run
 * follows when none of its calls can still reach the license service.
 */
const ROUNDS_MS = [0, 12_000, 75_000];

/** When an API process starts, it finishes what a dead one left unfinished, without waiting for a worker. */
@Injectable()
export class ReconcileOnStart implements OnApplicationBootstrap {
  private readonly logger = new Logger(ReconcileOnStart.name);

  constructor(private readonly reconciliation: LicenseReconciliation) {}

  onApplicationBootstrap(): void {
    for (const wait of ROUNDS_MS) void this.reconcileAfter(wait);
  }

  private async reconcileAfter(ms: number): Promise<void> {
    await pause(ms, undefined, { ref: false });
    await this.reconciliation.reconcile().catch((error: unknown) => {
      this.logger.warn(`licenses not reconciled at the start: ${String(error)}`);
    });
  }
}
