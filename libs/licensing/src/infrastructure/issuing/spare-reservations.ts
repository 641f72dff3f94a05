import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { ProcessPresence } from '#platform/database/connections/process-presence';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { Clock } from '#kernel/time/clock';
import { Randomness } from '#kernel/crypto/randomness';
import type { Reserved } from '../../application/ports/reservation-repository.js';

/** So many lie ready at most: those of a process that is killed are looked for at the license service, one by one. */
const MOST = 64;
const RETRY_MS = 500;

const MAKE = {
  name: 'make-spare-reservations',
  text: `insert into licensing.reservations (license_id, attempt_id, upstream_license_id, reserved_at, process)
         select made.*, $4, $5 from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as made`,
};
const GIVEN = `from unnest($1::uuid[], $2::uuid[]) as given (license_id, attempt_id)
          where r.license_id = given.license_id and r.attempt_id = given.attempt_id`;
const LEAVE = {
  name: 'leave-reservations',
  text: `update licensing.reservations r set process = null ${GIVEN}`,
};
const DROP = {
  name: 'drop-spare-reservations',
  text: `delete from licensing.reservations r ${GIVEN.replace('from', 'using')}`,
};

/** A spare reservation, and the appearance of this process for which it was made. */
interface Spare extends Reserved {
  readonly appearance: number;
}

/**
 * Reservations that this process makes in advance, twice as many as ever were waited for at a time: they cost one
 * transaction for many licenses, and no license waits for one while licenses are issued all the time.
 */
@Injectable()
export class SpareReservations implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SpareReservations.name);
  private spares: Spare[] = [];
  /** How many lie ready after more were made. */
  private level = 0;
  private waiting = 0;
  private making: Promise<void> | null = null;
  private ended = false;

  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly presence: ProcessPresence,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** @throws Error when the database does not answer */
  async take(): Promise<Reserved> {
    this.waiting += 1;
    try {
      for (;;) {
        const spare = this.next();
        if (spare) return spare;
        this.level = Math.max(this.level, Math.min(MOST, 2 * this.waiting));
        await this.makeMore();
      }
    } finally {
      this.waiting -= 1;
      // Who finds none later tells that the database is away.
      if (!this.ended && this.spares.length <= this.level / 2) this.makeMore().catch(() => undefined);
    }
  }

  /** Leaves them to the reconciler, however long the database is away. */
  leave(...reserved: readonly Reserved[]): void {
    void this.leaveSurely(reserved);
  }

  /** Of those that nobody took no key can exist. */
  async beforeApplicationShutdown(): Promise<void> {
    this.ended = true;
    await this.making?.catch(() => undefined);
    const unused = this.spares.splice(0);
    await this.transactions.atOnce(DROP, pairsOf(unused)).catch((error: unknown) => {
      this.logger.warn(`spare reservations left to the reconciler: ${String(error)}`);
    });
  }

  /** Those made before this process was last taken for dead may have been undone since. */
  private next(): Spare | undefined {
    const { appearance } = this.presence;
    if (this.spares[0] && this.spares[0].appearance !== appearance) {
      this.leave(...this.spares.filter((spare) => spare.appearance !== appearance));
      this.spares = this.spares.filter((spare) => spare.appearance === appearance);
    }
    return this.spares.shift();
  }

  private makeMore(): Promise<void> {
    return (this.making ??= this.make().finally(() => (this.making = null)));
  }

  private async make(): Promise<void> {
    const { appearance, id } = this.presence;
    const uuid = () => this.randomness.uuid();
    // A process that ends still answers what it has begun, and leaves nothing to the reconciler.
    const wanted = this.ended ? this.waiting : this.level - this.spares.length;
    const made = Array.from({ length: Math.max(1, wanted) }, () => ({
      licenseId: uuid(),
      attemptId: uuid(),
      upstreamLicenseId: uuid(),
      appearance,
    }));
    const values = [...pairsOf(made), made.map(({ upstreamLicenseId }) => upstreamLicenseId)];
    await this.transactions.atOnce(MAKE, [...values, this.clock.now().toISOString(), id]);
    this.spares.push(...made);
  }

  private async leaveSurely(reserved: readonly Reserved[]): Promise<void> {
    for (;;) {
      try {
        await this.transactions.atOnce(LEAVE, pairsOf(reserved));
        return;
      } catch (error) {
        // The process that ends leaves them as well.
        if (this.ended) return;
        this.logger.warn(`reservations not left yet, trying again: ${String(error)}`);
        await pause(RETRY_MS, undefined, { ref: false });
      }
    }
  }
}

const pairsOf = (reserved: readonly Reserved[]) => [
  reserved.map(({ licenseId }) => licenseId),
  reserved.map(({ attemptId }) => attemptId),
];
