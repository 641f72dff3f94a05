import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { LicenseReconciliation } from '#libs/licensing';

/**
 * What died a moment before the start is not taken for dead at once: it is looked at a second time. And once more when
 * nothing that it sent can be on its way to the license service any longer.
 */
const ROUNDS_MS = [0, 12_000, 75_000];

/** What an API that died left in the middle is ended when the next one starts, without waiting for a worker. */
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
