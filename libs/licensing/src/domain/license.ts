import { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import { chain, headOf, type ChainHead, type LedgerEntry } from './ledger-chain.js';
import type { LedgerFact } from './ledger-event.js';
import { transitionOf, type LicenseCall, type LicenseState, type RunningState } from './license-state.js';
import { transferSameOwner, transitionRefused } from './licensing-errors.js';
import { assertEffectiveDay, sameOwner, type Owner } from './ownership.js';

export interface LicenseRecord extends Owner {
  readonly id: Uuid;
  /** Of the humanId `L-<number>`. */
  readonly number: number;
  readonly upstreamLicenseId: Uuid;
  readonly keyMasked: string;
  readonly edition: string;
  readonly state: LicenseState;
  /** What a resume leads back to; null unless suspended. */
  readonly suspendedFrom: RunningState | null;
  /** Last valid day of a trial; null for a paid license, which never expires by itself. */
  readonly expiresOn: BillingDate | null;
  readonly externalBillingRef: string;
  readonly metadata: string;
  readonly issuedAt: Date;
  readonly terminatedAt: Date | null;
  /** Effective day of the last transfer. */
  readonly lastTransferOn: BillingDate | null;
  /** Counts the changes of owner; the license service learns it with the owner. */
  readonly ownerSequence: number;
  /** Of the last call that changed it, where that may be repeated: a repeat of it changes nothing. */
  readonly lastOperationId: Uuid | null;
  readonly ledger: ChainHead;
}

/** When a change is made and who asked for it. */
export interface Occasion {
  readonly at: Date;
  readonly actor: string | null;
  readonly operationId: Uuid | null;
}

/** What a call on a license leads to: the record afterwards and what the ledger says of it. */
export interface LicenseChange {
  readonly before: LicenseRecord;
  readonly after: LicenseRecord;
  readonly entries: readonly LedgerEntry[];
}

export interface TransferTerms {
  readonly transferId: Uuid;
  readonly to: Owner;
  readonly effectiveOn: BillingDate;
  /** Last valid day when the new contract is a trial. */
  readonly expiresOn: BillingDate | null;
  /** A trial moved to a contract that is paid for is a trial no more. */
  readonly toTrialContract: boolean;
}

/**
 * A license and its rules. Calls return what would change, or throw the reason why not; nothing here is written. A
 * trial whose end has passed is expired at once, and the first change that meets it records that too.
 */
export class License {
  private constructor(readonly record: LicenseRecord) {}

  static restore(record: LicenseRecord): License {
    return new License(record);
  }

  stateOn(day: BillingDate): LicenseState {
    const { state, expiresOn } = this.record;
    return state === 'trial' && expiresOn?.isBefore(day) ? 'expired' : state;
  }

  /** Null when the license has not expired, or that is recorded already. */
  expire(occasion: Occasion): LicenseChange | null {
    const facts = this.expiryFacts(occasion);
    return facts.length === 0 ? null : this.change({ state: 'expired' }, facts, occasion);
  }

  /**
   * Null when the call leaves everything as it is.
   * @throws Conflict by the state machine
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
      return this.change(ended, [...expiry, fact('license.terminated')], occasion);
    }
    return this.resumed(occasion, fact('license.resumed'));
  }

  /**
   * Null when the license has that edition already.
   * @throws Conflict when the license is not active
   */
  changeEdition(edition: string, occasion: Occasion): LicenseChange | null {
    const from = this.record.edition;
    const call: LicenseCall = edition === from ? 'keep-edition' : 'change-edition';
    const transition = transitionOf(call, this.stateOn(BillingDate.of(occasion.at)));
    if ('refused' in transition) throw transitionRefused(transition.refused);
    if (call === 'keep-edition') return null;
    return this.change({ edition }, [this.fact('license.edition_changed', occasion, { from, to: edition })], occasion);
  }

  /** @throws Invalid when the effective day is not possible; Conflict by the state machine or for the same owner */
  transfer(terms: TransferTerms, occasion: Occasion): LicenseChange {
    const { record } = this;
    const { to, effectiveOn, transferId, toTrialContract } = terms;
    const today = BillingDate.of(occasion.at);
    const issuedOn = BillingDate.of(record.issuedAt);
    assertEffectiveDay(effectiveOn, { issuedOn, lastTransferOn: record.lastTransferOn }, today);
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
    return this.change({ ...owner, ...trial.fields }, facts, occasion);
  }

  /** Only a license that runs as a trial, or will when it is resumed, is changed by the kind of its new contract. */
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
    return { before, after, entries };
  }
}
