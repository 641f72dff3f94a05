import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { Transactions } from '#kernel/transactions';
import { ServiceFeed } from '#libs/services';
import { problemOfCopies } from '../../domain/pitr/copy-attempts.js';
import { WalRepository, type WalStream } from '../ports/wal-repository.js';

/** Publishes the state of a service's recovery window to the service feed. */
@Injectable()
export class RecoveryEvents {
  constructor(
    private readonly streams: WalRepository,
    private readonly feed: ServiceFeed,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  async tell({ serviceId, customerId, problem: ofLog }: WalStream): Promise<void> {
    const problem = allProblems(ofLog, problemOfCopies(await this.streams.attempts(serviceId)));
    const event = { type: 'backup.status' as const, customerId, deploymentId: null, at: this.clock.now(), serviceId };
    const recovery = { status: problem === null ? 'active' : 'broken', problem };
    await this.transactions.run(() => this.feed.append([{ ...event, data: { serviceId, recovery } }]));
  }
}

/** The problems as one text; null when there are none. */
export function allProblems(...problems: readonly (string | null)[]): string | null {
  return problems.filter((problem) => problem !== null).join(' ') || null;
}
