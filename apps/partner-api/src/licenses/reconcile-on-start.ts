import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { LicenseReconciliation } from '#libs/licensing';

/** What an API that died left in the middle is ended when the next one starts, without waiting for a worker. */
@Injectable()
export class ReconcileOnStart implements OnApplicationBootstrap {
  private readonly logger = new Logger(ReconcileOnStart.name);

  constructor(private readonly reconciliation: LicenseReconciliation) {}

  onApplicationBootstrap(): void {
    this.reconciliation.reconcile().catch((error: unknown) => {
      this.logger.warn(`licenses not reconciled at the start: ${String(error)}`);
    });
  }
}
