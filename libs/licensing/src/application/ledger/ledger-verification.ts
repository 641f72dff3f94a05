import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import { EMPTY_CHAIN, hashOf } from '../../domain/ledger-chain.js';
import { LedgerReader, type ExpectedChain, type LedgerRow } from '../ports/ledger-reader.js';

export interface BrokenLedger {
  readonly licenseId: Uuid;
  /** The first wrong row; null if rows are missing at the end. */
  readonly eventId: number | null;
  readonly reason: string;
}

export interface LedgerReport {
  readonly licenses: number;
  readonly events: number;
  readonly broken: BrokenLedger | null;
}

/** Recomputes the hash chain of the ledger. It detects edits by hand, removed or inserted rows and a truncated tail. */
@Injectable()
export class LedgerVerification {
  constructor(private readonly ledger: LedgerReader) {}

  /**
   * Stops at the first broken row.
   * @param licenseId all licenses if null
   * @throws NotFound if there is neither a license with that id nor an event
   */
  async verify(licenseId: Uuid | null): Promise<LedgerReport> {
    const report = await this.ledger.atOneMoment(() => this.walk(licenseId));
    if (licenseId && report.licenses === 0 && !report.broken) throw new NotFound();
    return report;
  }

  private async walk(licenseId: Uuid | null): Promise<LedgerReport> {
    const walk = new ChainWalk(this.ledger.heads(licenseId)[Symbol.asyncIterator]());
    for await (const row of this.ledger.entries(licenseId)) {
      const broken = await walk.step(row);
      if (broken) return walk.report(broken);
    }
    return walk.report(await walk.end());
  }
}

/** Compares the entries with the chain heads stored with the licenses. Both are ordered by license. */
class ChainWalk {
  private licenses = 0;
  private events = 0;
  private current: ExpectedChain | null = null;
  private reached = EMPTY_CHAIN;

  constructor(private readonly heads: AsyncIterator<ExpectedChain>) {}

  report(broken: BrokenLedger | null): LedgerReport {
    return { licenses: this.licenses, events: this.events, broken };
  }

  async step(row: LedgerRow): Promise<BrokenLedger | null> {
    const cut = await this.advanceTo(row.licenseId);
    if (cut) return cut;
    this.events++;
    const reason = this.problemOf(row);
    if (reason) return { licenseId: row.licenseId, eventId: row.eventId, reason };
    this.reached = { length: row.position, hash: row.hash };
    return null;
  }

  async end(): Promise<BrokenLedger | null> {
    return this.advanceTo(null);
  }

  private problemOf(row: LedgerRow): string | null {
    if (this.current?.licenseId !== row.licenseId) return 'the event does not belong to a license';
    if (row.position !== this.reached.length + 1) return 'an event is missing before this one';
    if (!row.previousHash.equals(this.reached.hash)) return 'the event does not follow the one before it';
    if (!row.hash.equals(hashOf(row))) return 'the event was changed after it was written';
    if (row.position > this.current.length) return 'the event is not known to its license';
    return null;
  }

  /** Checks the licenses up to the given one; null checks all. */
  private async advanceTo(licenseId: Uuid | null): Promise<BrokenLedger | null> {
    while (this.current === null || licenseId === null || this.current.licenseId < licenseId) {
      const cut = this.current && this.cutOff(this.current);
      if (cut) return cut;
      const next = await this.heads.next();
      if (next.done) {
        this.current = null;
        return null;
      }
      this.licenses++;
      this.current = next.value;
      this.reached = EMPTY_CHAIN;
    }
    return null;
  }

  private cutOff({ licenseId, length, hash }: ExpectedChain): BrokenLedger | null {
    if (this.reached.length === length && this.reached.hash.equals(hash)) return null;
    return {
      licenseId,
      eventId: null,
      reason: `the license should have ${length} events and has ${this.reached.length}`,
    };
  }
}
