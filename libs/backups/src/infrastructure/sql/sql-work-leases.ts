import type { Uuid } from '#kernel/crypto/uuid';
import type { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { BackupLeaseLost } from '../../domain/backup-errors.js';

/** Leases of workers on rows of a table, in its columns `worker` and `leased_until`. */
export class SqlWorkLeases {
  /** @param stillWork SQL condition; nobody can hold a lease on a row that does not meet it */
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly table: 'backups.backups' | 'backups.restores',
    private readonly stillWork = 'true',
  ) {}

  /** Must be called in the transaction that selected and locked the row. */
  async take(id: Uuid, worker: Uuid, leaseMs: number): Promise<void> {
    await this.transactions.writer.query(
      `update ${this.table} set worker = $2, leased_until = clock_timestamp() + $3 * interval '1 millisecond'
        where id = $1`,
      [id, worker, leaseMs],
    );
  }

  /** @throws BackupLeaseLost when this worker no longer holds the lease */
  async renew(id: Uuid, worker: Uuid, leaseMs: number): Promise<void> {
    await this.transactions.run(async () => {
      await this.assertHeld(id, worker);
      await this.take(id, worker, leaseMs);
    });
  }

  /** Locks the row until the transaction ends. @throws BackupLeaseLost when this worker no longer holds the lease */
  async assertHeld(id: Uuid, worker: Uuid): Promise<void> {
    const rows: unknown[] = await this.transactions.writer.query(
      `select 1 from ${this.table} where id = $1 and worker = $2 and ${this.stillWork} for update`,
      [id, worker],
    );
    if (rows.length === 0) throw new BackupLeaseLost();
  }

  async release(id: Uuid, worker: Uuid): Promise<void> {
    await this.transactions.run(() =>
      this.transactions.writer.query(
        `update ${this.table} set worker = null, leased_until = null where id = $1 and worker = $2`,
        [id, worker],
      ),
    );
  }
}
