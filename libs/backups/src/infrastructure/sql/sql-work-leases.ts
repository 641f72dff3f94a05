import type { Uuid } from '#kernel/crypto/uuid';
import type { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { BackupLeaseLost } from '../../domain/backup-errors.js';

/** Which worker has which piece of work, and until when: columns `worker` and `leased_until` of a table. */
export class SqlWorkLeases {
  /** @param stillWork a condition: what does not meet it is nobody's work any more */
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly table: 'backups.backups' | 'backups.restores',
    private readonly stillWork = 'true',
  ) {}

  /** Within the transaction that chose the work. */
  async take(id: Uuid, worker: Uuid, leaseMs: number): Promise<void> {
    await this.transactions.writer.query(
      `update ${this.table} set worker = $2, leased_until = clock_timestamp() + $3 * interval '1 millisecond'
        where id = $1`,
      [id, worker, leaseMs],
    );
  }

  /** @throws BackupLeaseLost when another worker has it */
  async renew(id: Uuid, worker: Uuid, leaseMs: number): Promise<void> {
    await this.transactions.run(async () => {
      await this.assertHeld(id, worker);
      await this.take(id, worker, leaseMs);
    });
  }

  /** Until the end of the transaction nobody else takes it. @throws BackupLeaseLost when another worker has it */
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
