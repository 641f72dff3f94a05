import { InjectQueue, Processor } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { LicenseReconciliation, ListMarks, TrialExpiry, UpstreamSync } from '#libs/licensing';
import { Clock } from '#kernel/time/clock';
import { ChoreProcessor, DAY_MS } from './chores.js';

export const LICENSING_QUEUE = 'licensing';

/** Maximum number of extra rows that a page at a large offset reads. */
const MARK_SPACING = 1_000;

/** Licensing's background jobs. */
@Processor(LICENSING_QUEUE)
export class LicensingProcessor extends ChoreProcessor {
  constructor(
    @InjectQueue(LICENSING_QUEUE) queue: Queue,
    sync: UpstreamSync,
    reconciliation: LicenseReconciliation,
    expiry: TrialExpiry,
    marks: ListMarks,
    clock: Clock,
  ) {
    super(queue, {
      'sync-license-service': { period: 2_000, run: () => sync.syncDue() },
      'reconcile-licenses': { period: 10_000, atStart: true, run: () => reconciliation.reconcile() },
      'expire-trials': { period: DAY_MS, pattern: '0 1 0 * * *', atStart: true, run: () => expiry.expireDue() },
      'mark-license-lists': { period: 60_000, run: () => marks.extend(clock.now(), MARK_SPACING) },
    });
  }
}
