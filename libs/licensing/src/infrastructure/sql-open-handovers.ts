import { Injectable, Logger } from '@nestjs/common';
import { Unavailable } from '#kernel/errors';
import { ProcessPresence } from '#platform/database/connections/process-presence';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { RepeatableOperations } from '#platform/idempotency/repeatable-operations';
import type { Uuid } from '#kernel/crypto/uuid';
import { OpenHandovers } from '../application/ports/open-handovers.js';

const RETRY_MS = 250;
/** How long a response waits for the presence connection. */
const MAX_WAIT_MS = 5_000;
/** A process that lost its presence connection counts as dead until it reconnects, but can still send responses. */
const GRACE_MS = 10_000;
/**
 * Longer than any response takes. A hand-over that is still open then belongs to an issue whose outcome its process
 * does not know.
 */
const MAX_ANSWER_MS = 300_000;

export const LEFT = {
  name: 'keys-left',
  text: 'delete from licensing.key_handovers where license_id = any($1::uuid[])',
};
const FAILED = {
  name: 'keys-lost',
  text: `insert into licensing.key_handovers (license_id, issued_at)
         select l.id, l.issued_at from licensing.licenses l where l.id = any($1::uuid[])
         on conflict (license_id) do update set process = null`,
};

/** One record about a key, waiting to be sent. */
interface Note {
  readonly licenseId: Uuid;
  readonly statement: typeof LEFT;
  /** Called once the record is on the network. */
  readonly sent?: () => void;
}

interface OpenRow {
  readonly license_id: Uuid;
  readonly process: number | null;
  readonly issued_at: Date;
}

/**
 * Sends the records about keys over the presence connection. PostgreSQL executes them before it considers the process
 * dead, even if the process is killed right after sending. One message is under way at a time; it covers all keys
 * collected meanwhile.
 */
@Injectable()
export class SqlOpenHandovers extends OpenHandovers {
  private readonly logger = new Logger(SqlOpenHandovers.name);
  private notes: Note[] = [];
  private telling = false;

  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly presence: ProcessPresence,
    private readonly repeatable: RepeatableOperations,
  ) {
    super();
  }

  leaving(licenseId: Uuid): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.notes = this.notes.filter((waiting) => waiting !== note);
        reject(new Unavailable('key-not-noted', 'The license key cannot be delivered now. Try again shortly.'));
      }, MAX_WAIT_MS);
      const sent = () => {
        clearTimeout(giveUp);
        resolve();
      };
      const note: Note = { licenseId, statement: LEFT, sent };
      this.note(note);
    });
  }

  left(licenseId: Uuid): void {
    this.note({ licenseId, statement: LEFT });
  }

  failed(licenseId: Uuid): void {
    this.note({ licenseId, statement: FAILED });
  }

  async listLost(now: Date, limit: number): Promise<Uuid[]> {
    const rows: OpenRow[] = await this.transactions.reader.query(
      `select license_id, process, issued_at from licensing.key_handovers
        where (process is null or issued_at <= $1) and (repeatable_until is null or repeatable_until <= $2)
        order by issued_at limit $3`,
      [new Date(now.getTime() - GRACE_MS), now, limit],
    );
    const lost: Uuid[] = [];
    for (const row of rows) if (await this.isLost(row, now)) lost.push(row.license_id);
    return lost;
  }

  forget(licenseId: Uuid): Promise<void> {
    return this.transactions.run(async () => {
      await this.transactions.writer.query(LEFT.text, [[licenseId]]);
    });
  }

  private async isLost({ license_id: id, process, issued_at: issuedAt }: OpenRow, now: Date): Promise<boolean> {
    const mayBeAnswered = now.getTime() - issuedAt.getTime() < MAX_ANSWER_MS;
    if (process !== null && mayBeAnswered && (await this.presence.isAlive(process))) return false;
    const repeat = await this.repeatable.find(id);
    if (!repeat) return true;
    await (repeat.answered ? this.forget(id) : this.wait(id, repeat.until));
    return false;
  }

  private wait(licenseId: Uuid, until: Date): Promise<void> {
    return this.transactions.run(async () => {
      await this.transactions.writer.query(
        'update licensing.key_handovers set repeatable_until = $2 where license_id = $1',
        [licenseId, until],
      );
    });
  }

  private note(note: Note): void {
    this.notes.push(note);
    if (this.telling) return;
    this.telling = true;
    // Keys that were created together are recorded together.
    setImmediate(() => void this.tell());
  }

  private async tell(): Promise<void> {
    for (let first = this.notes[0]; first; first = this.notes[0]) {
      const { statement } = first;
      const other = this.notes.findIndex((note) => note.statement !== statement);
      const told = this.notes.splice(0, other < 0 ? this.notes.length : other);
      let waiting = told;
      try {
        const answer = this.presence.tell(statement, [told.map(({ licenseId }) => licenseId)]);
        waiting = told.map(({ licenseId }) => ({ licenseId, statement }));
        for (const { sent } of told) sent?.();
        await answer;
      } catch (error) {
        this.notes.unshift(...waiting);
        this.logger.warn(`deliveries of keys not recorded, trying again: ${String(error)}`);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
    this.telling = false;
  }
}
