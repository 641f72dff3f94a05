import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { LicenseReconciliation } from '#libs/licensing';

/**
 * A process that died just before the start may not be recognised as dead yet, so there is a second run. A third one
 * follows when none of its calls can still be on its way to the license service.
 */
const ROUNDS_MS = [0, 12_000, 75_000];

/** When an API process starts, it finishes what a dead one left half done, without waiting for a worker. */
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
