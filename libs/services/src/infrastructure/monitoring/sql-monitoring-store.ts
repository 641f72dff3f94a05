import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import {
  CollectorReplaced,
  MonitoringStore,
  type DiskRecord,
  type HealthRecord,
  type Remembered,
  type Round,
} from '../../application/ports/monitoring/monitoring-store.js';
import type { Recovery } from '../../domain/monitoring/recovery.js';
import {
  clearMonitoring,
  SAVE_DISKS,
  SAVE_HEALTH,
  SAVE_MINUTES,
  SAVE_NOW,
  SAVE_SAMPLES,
} from './monitoring-statements.js';

/** One engine for each panel; the table has room for more. */
export const THE_ENGINE = 'engine';

interface RememberedRow {
  readonly id: Uuid;
  readonly cpu: readonly number[] | null;
  readonly ram: readonly number[] | null;
  readonly ages: readonly number[] | null;
  readonly samples: readonly number[] | null;
  readonly idleSeconds: number | null;
  readonly status: HealthRecord['status'] | null;
  readonly attempts: number | null;
  readonly lastAt: Date | null;
  readonly nextAt: Date | null;
  readonly unhealthyLooks: number | null;
  readonly healthySince: Date | null;
}

/** Leases and ages are measured by the clock of the database, the one clock that all processes share. */
@Injectable()
export class SqlMonitoringStore extends MonitoringStore {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async hold(holder: Uuid, leaseMs: number): Promise<boolean> {
    const rows: { holder: Uuid }[] = await this.write(
      // A lease that ends later than any lease may last was taken before the clock was set back.
      `insert into services.collectors as c (engine, holder, lease_expires_at)
       values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
       on conflict (engine) do update set holder = excluded.holder, lease_expires_at = excluded.lease_expires_at
        where c.holder = excluded.holder or c.lease_expires_at < clock_timestamp()
           or c.lease_expires_at > clock_timestamp() + 2 * $3 * interval '1 millisecond'
       returning holder`,
      [THE_ENGINE, holder, leaseMs],
    );
    return rows.length > 0;
  }

  async release(holder: Uuid): Promise<void> {
    await this.write(
      'update services.collectors set lease_expires_at = clock_timestamp() where engine = $1 and holder = $2',
      [THE_ENGINE, holder],
    );
  }

  async recall(): Promise<ReadonlyMap<Uuid, Remembered>> {
    const rows: RememberedRow[] = await this.transactions.reader.query(
      `select service_id as id, n.cpu_spark as cpu, n.ram_spark as ram, n.spark_ages as ages,
              n.spark_samples as samples,
              greatest(0, extract(epoch from clock_timestamp() - n.stored_at))::float8 as "idleSeconds",
              h.status, h.attempts, h.last_attempt_at as "lastAt", h.next_attempt_at as "nextAt",
              h.unhealthy_looks as "unhealthyLooks", h.healthy_since as "healthySince"
         from services.metrics_now n full join services.health h using (service_id)`,
    );
    return new Map(rows.map((row) => [row.id, remembered(row)]));
  }

  async save(holder: Uuid, { at, usages, healths }: Round): Promise<void> {
    await this.prove(holder, true);
    const { writer } = this.transactions;
    if (usages.length > 0) {
      const rows = JSON.stringify(usages);
      for (const statement of [SAVE_NOW, SAVE_SAMPLES, SAVE_MINUTES]) await writer.query(statement, [rows, at]);
    }
    if (healths.length > 0) await writer.query(SAVE_HEALTH, [JSON.stringify(healths), at]);
  }

  async markSilent(holder: Uuid): Promise<void> {
    await this.write('update services.collectors set answers = false where engine = $1 and holder = $2 and answers', [
      ...[THE_ENGINE, holder],
    ]);
  }

  async saveRecovery(serviceId: Uuid, recovery: Recovery): Promise<void> {
    const { attempts, lastAt, nextAt, unhealthyLooks, healthySince } = recovery;
    await this.write(
      `update services.health set attempts = $2, last_attempt_at = $3, next_attempt_at = $4, unhealthy_looks = $5,
              healthy_since = $6
        where service_id = $1`,
      [serviceId, attempts, lastAt, nextAt, unhealthyLooks, healthySince],
    );
  }

  async saveDisks(disks: readonly DiskRecord[], at: Date): Promise<void> {
    if (disks.length > 0) await this.write(SAVE_DISKS, [JSON.stringify(disks), at]);
  }

  clear(now: Date, samples: number): Promise<void> {
    return this.transactions.run(() => clearMonitoring(this.transactions.writer, now, samples));
  }

  /** Runs in the caller's transaction, so the lease cannot be taken over before that ends. */
  private async prove(holder: Uuid, answers: boolean): Promise<void> {
    const [, held] = await this.transactions.writer.query<[unknown, number]>(
      `update services.collectors set answers = $3
        where engine = $1 and holder = $2 and lease_expires_at > clock_timestamp()`,
      [THE_ENGINE, holder, answers],
    );
    if (held === 0) throw new CollectorReplaced();
  }

  private write<T>(statement: string, values: readonly unknown[]): Promise<T> {
    return this.transactions.run(() => this.transactions.writer.query<T>(statement, [...values]));
  }
}

function remembered(row: RememberedRow): Remembered {
  const { cpu, ram, ages, samples, idleSeconds, status, attempts, lastAt, nextAt, unhealthyLooks, healthySince } = row;
  return {
    spark: (cpu ?? []).map((cpuPct, index) => ({
      cpuPct,
      ramPct: ram![index]!,
      samples: samples![index]!,
      ageMs: (ages![index]! + (idleSeconds ?? 0)) * 1000,
    })),
    status,
    recovery: { attempts: attempts ?? 0, lastAt, nextAt, unhealthyLooks: unhealthyLooks ?? 0, healthySince },
  };
}
