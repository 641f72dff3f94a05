import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { BuildTurns } from '../../../application/ports/git/build-turns.js';

const LEASE_MS = 15_000;
const RENEW_MS = 4_000;
const LOOK_MS = 500;

/**
 * A row for each waiting or running build, with a lease that its worker renews. A row with an expired lease belongs to
 * a dead worker and blocks nobody.
 */
@Injectable()
export class SqlBuildTurns extends BuildTurns {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async inTurn<T>(
    deploymentId: Uuid,
    onPlace: (before: number) => void,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    await this.enter(deploymentId);
    const renewing = setInterval(() => void this.enter(deploymentId).catch(() => undefined), RENEW_MS);
    try {
      let told = 0;
      for (let before = await this.before(deploymentId); before > 0; before = await this.before(deploymentId)) {
        if (before !== told) onPlace(before);
        told = before;
        await sleep(LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
      return await work();
    } finally {
      clearInterval(renewing);
      await this.leave(deploymentId);
    }
  }

  /** Adds the build to the queue, or renews its lease. */
  private async enter(deploymentId: Uuid): Promise<void> {
    await this.transactions.run(() =>
      this.transactions.writer.query(
        `insert into services.build_queue (deployment_id, lease_expires_at)
         values ($1, now() + $2 * interval '1 millisecond')
         on conflict (deployment_id) do update set lease_expires_at = excluded.lease_expires_at`,
        [deploymentId, LEASE_MS],
      ),
    );
  }

  private async before(deploymentId: Uuid): Promise<number> {
    const [row]: { before: number }[] = await this.transactions.reader.query(
      `select count(*)::int as before
         from services.build_queue mine join services.build_queue other on other.place < mine.place
        where mine.deployment_id = $1 and other.lease_expires_at > now()`,
      [deploymentId],
    );
    return row?.before ?? 0;
  }

  private async leave(deploymentId: Uuid): Promise<void> {
    await this.transactions.run(() =>
      this.transactions.writer.query('delete from services.build_queue where deployment_id = $1', [deploymentId]),
    );
  }
}
