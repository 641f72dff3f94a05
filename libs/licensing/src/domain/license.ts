import { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import { chain, EMPTY_CHAIN, headOf, type ChainHead, type LedgerEntry } from './ledger-chain.js';
import type { LedgerFact } from './ledger-event.js';
import { transitionOf, type LicenseCall, type LicenseState, type RunningState } from './license-state.js';
import { transferSameOwner, transitionRefused } from './licensing-errors.js';
import { assertEffectiveDay, sameOwner, type ClosedSpan, type Owner, type OwnershipChange } from './ownership.js';
import { assertMayTakeEffect, type Backdating } from './backdating.js';

export interface LicenseRecord extends Owner {
  readonly id: Uuid;
  /** Number in the humanId `L-<number>`. */
  readonly number: number;
  readonly upstreamLicenseId: Uuid;
  readonly keyMasked: string;
  readonly edition: string;
  readonly state: LicenseState;
  /** The state to which a resume returns; null unless suspended. */
  readonly suspendedFrom: RunningState | null;
  /** Last valid day of a trial; null for a paid license, which never expires by itself. */
  readonly expiresOn: BillingDate | null;
  readonly externalBillingRef: string;
  readonly metadata: string;
  readonly issuedAt: Date;
  readonly terminatedAt: Date | null;
  /** Effective day of the last transfer. */
  readonly lastTransferOn: BillingDate | null;
  /** Counts the changes of owner; the license service gets it with the owner. */
  readonly ownerSequence: number;
  /** Id of the last operation with an Idempotency-Key that changed it; repeating it changes nothing. */
  readonly lastOperationId: Uuid | null;
  readonly ledger: ChainHead;
}

/** When a change is made and by whom. */
export interface Occasion {
  readonly at: Date;
  readonly actor: string | null;
  readonly operationId: Uuid | null;
}

/** The result of a call on a license: the new record, its ledger entries, and the change of its ownership spans. */
export interface LicenseChange {
  readonly before: LicenseRecord;
  readonly after: LicenseRecord;
  readonly entries: readonly LedgerEntry[];
  /** Null if no day changes its owner. */
  readonly ownership: OwnershipChange | null;
}

/** A license before it is written, when it gets its number. */
export type UnnumberedLicense = Omit<LicenseRecord, 'number'>;

/** The terms of a new license. */
export interface LicenseTerms extends Owner {
  readonly licenseId: Uuid;
  readonly upstreamLicenseId: Uuid;
  readonly edition: string;
  readonly state: RunningState;
  readonly expiresOn: BillingDate | null;
  readonly drawsFromPack: boolean;
  readonly externalBillingRef: string;
}

/** A new license with its first ledger entry and its first ownership span. */
export interface NewLicense {
  readonly record: UnnumberedLicense;
  readonly issued: LedgerEntry;
  readonly ownership: OwnershipChange;
}

export interface TransferTerms {
  readonly transferId: Uuid;
  readonly to: Owner;
  readonly effectiveOn: BillingDate;
  /** Last valid day if the new contract is a trial. */
  readonly expiresOn: BillingDate | null;
  /** A trial moved to a paid contract is no longer a trial. */
  readonly toTrialContract: boolean;
  /** Whether the new contract sells from a pack. */
  readonly drawsFromPack: boolean;
  /** Facts that decide whether the day may be before today; null if any day is allowed (staff and imports). */
  readonly backdating: Backdating | null;
}

/**
 * A license and its rules. A call returns the change for the caller to write, or throws if the rules refuse it. A trial
 * is expired from the day after its last day; the next change of the license records that.
 */
export class License {
  private constructor(readonly record: LicenseRecord) {}

  static restore(record: LicenseRecord): License {
    return new License(record);
  }

  /** A license begins on the day of its issue, under its first contract. */
  static issue(terms: LicenseTerms, keyMasked: string, { at, actor }: Omit<Occasion, 'operationId'>): NewLicense {
    const { licenseId: id, customerId, contractId, drawsFromPack } = terms;
    const [issued] = chain(id, EMPTY_CHAIN, [{ event: 'license.issued', at, actor, customerId, data: {} }]);
    if (!issued) throw new Error('the issue has no ledger entry');
    // Property by property: extending a copied object is slow.
    const record: UnnumberedLicense = {
      partnerId: terms.partnerId,
      customerId,
      contractId,
      id,
      upstreamLicenseId: terms.upstreamLicenseId,
      keyMasked,
      edition: terms.edition,
      state: terms.state,
      suspendedFrom: null,
      expiresOn: terms.expiresOn,
      externalBillingRef: terms.externalBillingRef,
      metadata: '',
      issuedAt: at,
      terminatedAt: null,
      lastTransferOn: null,
      lastOperationId: null,
      ownerSequence: 1,
      ledger: headOf(EMPTY_CHAIN, [issued]),
    };
    const began = { contractId, firstDay: BillingDate.of(at), openedBy: issued.position, drawsFromPack };
    return { record, issued, ownership: { ended: null, began } };
  }

  stateOn(day: BillingDate): LicenseState {
    const { state, expiresOn } = this.record;
    return state === 'trial' && expiresOn?.isBefore(day) ? 'expired' : state;
  }

  /** Null if the license has not expired, or the expiry is already recorded. */
  expire(occasion: Occasion): LicenseChange | null {
    const facts = this.expiryFacts(occasion);
    return facts.length === 0 ? null : this.change({ state: 'expired' }, facts, occasion);
  }

  /**
   * Null if the call changes nothing.
   * @throws Conflict from the state machine
   */
  call(call: 'suspend' | 'resume' | 'terminate', occasion: Occasion): LicenseChange | null {
    const today = BillingDate.of(occasion.at);
    const transition = transitionOf(call, this.stateOn(today));
    if ('refused' in transition) throw transitionRefused(transition.refused);
    if (!('to' in transition)) return null;
    const expiry = this.expiryFacts(occasion);
    const fact = (event: LedgerFact['event']) => this.fact(event, occasion);
    if (transition.to === 'suspended') {
      const suspendedFrom = this.record.state === 'trial' ? 'trial' : 'active';
      return this.change({ state: 'suspended', suspendedFrom }, [fact('license.suspended')], occasion);
    }
    if (transition.to === 'terminated') {
      const ended = { state: 'terminated', suspendedFrom: null, terminatedAt: occasion.at } as const;
      const change = this.change(ended, [...expiry, fact('license.terminated')], occasion);
      return { ...change, ownership: { ended: this.closedSpan(today, change, 'license.terminated'), began: null } };
    }
    return this.resumed(occasion, fact('license.resumed'));
  }

  /**
   * Null if the license already has that edition.
   * @throws Conflict if the license is not active
   */
  changeEdition(edition: string, occasion: Occasion): LicenseChange | null {
    const from = this.record.edition;
    const call: LicenseCall = edition === from ? 'keep-edition' : 'change-edition';
    const transition = transitionOf(call, this.stateOn(BillingDate.of(occasion.at)));
    if ('refused' in transition) throw transitionRefused(transition.refused);
    if (call === 'keep-edition') return null;
    return this.change({ edition }, [this.fact('license.edition_changed', occasion, { from, to: edition })], occasion);
  }

  /** @throws Invalid if the effective day is not possible; Conflict from the state machine or for the same owner */
  transfer(terms: TransferTerms, occasion: Occasion): LicenseChange {
    const { record } = this;
    const { to, effectiveOn, transferId, toTrialContract } = terms;
    const today = BillingDate.of(occasion.at);
    const issuedOn = BillingDate.of(record.issuedAt);
    assertEffectiveDay(effectiveOn, { issuedOn, lastTransferOn: record.lastTransferOn }, today);
    if (terms.backdating) assertMayTakeEffect(effectiveOn, today, record, to, terms.backdating);
    const transition = transitionOf('transfer', this.stateOn(today));
    if ('refused' in transition) throw transitionRefused(transition.refused);
    if (sameOwner(record, to)) throw transferSameOwner();
    const data = {
      transferId,
      effectiveDate: effectiveOn.toString(),
      fromPartnerId: record.partnerId,
      toPartnerId: to.partnerId,
    };
    const facts = [
      ...this.expiryFacts(occasion),
      this.fact('license.transferred_out', occasion, data),
      { ...this.fact('license.transferred_in', occasion, data), customerId: to.customerId },
    ];
    const trial = this.trialAfter(toTrialContract, terms.expiresOn, today);
    if (trial.converted) facts.push({ ...this.fact('license.trial_converted', occasion), customerId: to.customerId });
    const owner = { ...to, lastTransferOn: effectiveOn, ownerSequence: record.ownerSequence + 1 };
    const change = this.change({ ...owner, ...trial.fields }, facts, occasion);
    const began = {
      contractId: to.contractId,
      firstDay: effectiveOn,
      openedBy: positionOf('license.transferred_in', change),
      drawsFromPack: terms.drawsFromPack,
    };
    const ended = this.closedSpan(effectiveOn.plusDays(-1), change, 'license.transferred_out');
    return { ...change, ownership: { ended, began } };
  }

  /** Closes the open ownership span, which began with the last transfer or the issue. `lastDay` is inclusive. */
  private closedSpan(lastDay: BillingDate, change: LicenseChange, event: LedgerFact['event']): ClosedSpan {
    const { issuedAt, lastTransferOn } = this.record;
    const issuedOn = BillingDate.of(issuedAt);
    const firstDay = lastTransferOn && issuedOn.isBefore(lastTransferOn) ? lastTransferOn : issuedOn;
    return { firstDay, lastDay, closedBy: positionOf(event, change) };
  }

  /** The kind of the new contract matters only for a trial, including one that is suspended. */
  private trialAfter(toTrialContract: boolean, expiresOn: BillingDate | null, today: BillingDate) {
    const { state, suspendedFrom } = this.record;
    const now = this.stateOn(today);
    if (now === 'expired') return { converted: false, fields: { state: now } };
    const isTrial = state === 'trial' || suspendedFrom === 'trial';
    if (!isTrial) return { converted: false, fields: {} };
    if (toTrialContract) return { converted: false, fields: { expiresOn } };
    const running = state === 'trial' ? ({ state: 'active' } as const) : ({ suspendedFrom: 'active' } as const);
    return { converted: true, fields: { ...running, expiresOn: null } };
  }

  private resumed(occasion: Occasion, resumed: LedgerFact): LicenseChange {
    const { suspendedFrom, expiresOn } = this.record;
    const state = suspendedFrom ?? 'active';
    const passed = state === 'trial' && expiresOn?.isBefore(BillingDate.of(occasion.at));
    if (!passed) return this.change({ state, suspendedFrom: null }, [resumed], occasion);
    const expired = { ...this.fact('license.expired', occasion), actor: null };
    return this.change({ state: 'expired', suspendedFrom: null }, [resumed, expired], occasion);
  }

  private expiryFacts(occasion: Occasion): LedgerFact[] {
    const due = this.record.state === 'trial' && this.stateOn(BillingDate.of(occasion.at)) === 'expired';
    return due ? [{ ...this.fact('license.expired', occasion), actor: null }] : [];
  }

  private fact(event: LedgerFact['event'], { at, actor }: Occasion, data: LedgerFact['data'] = {}): LedgerFact {
    return { event, at, actor, customerId: this.record.customerId, data };
  }

  private change(
    fields: Partial<LicenseRecord>,
    facts: readonly LedgerFact[],
    { operationId }: Occasion,
  ): LicenseChange {
    const before = this.record;
    const entries = chain(before.id, before.ledger, facts);
    const lastOperationId = operationId ?? before.lastOperationId;
    const after = { ...before, ...fields, lastOperationId, ledger: headOf(before.ledger, entries) };
    return { before, after, entries, ownership: null };
  }
}

function positionOf(event: LedgerFact['event'], { entries }: LicenseChange): number {
  const entry = entries.find((each) => each.event === event);
  if (!entry) throw new Error(`the change has no event ${event}`);
  return entry.position;
}
