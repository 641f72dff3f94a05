import { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LedgerData, LedgerEventType, LedgerFact } from '../../domain/ledger-event.js';
import type { Owner } from '../../domain/ownership.js';
import type { PastEvent, PastLicense, PastTransfer } from './past-license.js';

/** A fact with its place among facts of the same instant. */
interface PlacedFact extends LedgerFact {
  readonly place: number;
}

export interface TransferFacts {
  readonly out: LedgerFact;
  readonly in: LedgerFact;
  readonly at: Date;
}

const FIRST = -1;
const LAST = Number.MAX_SAFE_INTEGER;

/**
 * Rebuilds the ledger of an imported license. Some facts follow from the lines of the license and its transfers: the
 * issue, each transfer, the conversion of a trial, and the current termination, expiry or suspension. An event line
 * that reports such a fact replaces it. Any other event line is a fact of its own, with an unknown customer.
 */
export class PastLedger {
  readonly issued: LedgerFact;
  readonly transfers: readonly TransferFacts[];
  readonly terminated: LedgerFact | null;
  /** When the license expired; null unless it is expired now. */
  readonly expiredAt: Date | null;
  private readonly placed: PlacedFact[] = [];
  private readonly unmatched: PastEvent[];

  constructor(
    private readonly license: PastLicense,
    events: readonly PastEvent[],
    private readonly moves: readonly PastTransfer[],
    /** The transfer with which the license stopped being a trial. */
    private readonly conversion: PastTransfer | null,
    private readonly now: Date,
  ) {
    this.unmatched = [...events];
    const { issuedAt, owner, terminatedAt } = license;
    this.issued = this.derive('license.issued', issuedAt, owner, FIRST, {}, () => true);
    this.transfers = this.deriveTransfers();
    this.terminated = terminatedAt && this.deriveEnd('license.terminated', terminatedAt);
    this.expiredAt = license.state === 'expired' ? this.deriveExpiry() : null;
    if (license.state === 'suspended') this.deriveSuspension(events);
    for (const { line, event, at, actor } of this.unmatched) {
      this.placed.push({ event, at, actor, customerId: null, data: {}, place: line });
    }
  }

  /** In the order of the ledger: by time, and within an instant the issue first, then by line. */
  facts(): LedgerFact[] {
    return this.placed.sort((a, b) => a.at.getTime() - b.at.getTime() || a.place - b.place);
  }

  private deriveTransfers(): TransferFacts[] {
    let from: Owner = this.license.owner;
    let earliest = this.license.issuedAt;
    return this.moves.map((move) => {
      const { id, line, to, effectiveOn } = move;
      const at = move.recordedAt ?? later(effectiveOn.startsAt(), earliest);
      const data = {
        transferId: id,
        effectiveDate: effectiveOn.toString(),
        fromPartnerId: from.partnerId,
        toPartnerId: to.partnerId,
      };
      const out = this.derive('license.transferred_out', at, from, line, data);
      const into = this.derive('license.transferred_in', at, to, line, data);
      if (move === this.conversion) this.derive('license.trial_converted', at, to, line);
      from = to;
      earliest = at;
      return { out, in: into, at };
    });
  }

  /** If the line has no time, the trial expired on the day after its contract's last day. */
  private deriveExpiry(): Date {
    const { owner, expiredAt, issuedAt } = this.license;
    const { isTrial, validTo } = (this.moves.at(-1)?.to ?? owner).contract;
    const trialEnd = isTrial && validTo ? validTo.plusDays(1).startsAt() : null;
    const at = expiredAt ?? (trialEnd && trialEnd <= this.now ? trialEnd : this.now);
    return this.deriveEnd('license.expired', later(at, issuedAt), () => true).at;
  }

  /** Not needed if an event line reports the current suspension. */
  private deriveSuspension(events: readonly PastEvent[]): void {
    const told = events
      .filter(({ event }) => event === 'license.suspended' || event === 'license.resumed')
      .sort((a, b) => a.at.getTime() - b.at.getTime() || a.line - b.line);
    if (told.at(-1)?.event === 'license.suspended') return;
    this.deriveEnd('license.suspended', this.license.suspendedAt ?? this.now, () => false);
  }

  private deriveEnd(event: LedgerEventType, at: Date, tells?: (told: PastEvent) => boolean): LedgerFact {
    const settled = later(at, this.license.issuedAt);
    return this.derive(event, settled, this.ownerAt(settled), LAST, {}, tells);
  }

  private derive(
    event: LedgerEventType,
    at: Date,
    { customerId }: { readonly customerId: Uuid },
    place: number,
    data: LedgerData = {},
    tells = (told: PastEvent) => BillingDate.of(told.at).equals(BillingDate.of(at)),
  ): LedgerFact {
    const index = this.unmatched.findIndex((told) => told.event === event && tells(told));
    const [told] = index === -1 ? [] : this.unmatched.splice(index, 1);
    const fact: PlacedFact = told
      ? { event, at: told.at, actor: told.actor, customerId: null, data, place }
      : { event, at, actor: null, customerId, data, place };
    this.placed.push(fact);
    return fact;
  }

  private ownerAt(at: Date): Owner {
    const last = this.transfers.findLastIndex((transfer) => transfer.at <= at);
    return this.moves[last]?.to ?? this.license.owner;
  }
}

function later(a: Date, b: Date): Date {
  return a < b ? b : a;
}
