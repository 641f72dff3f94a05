import type { BillingPeriod } from '#kernel/time/billing-period';
import { Invalid } from '#kernel/errors';
import { textDefect } from '#kernel/text/plain-text';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  figuresChanged,
  monthNotEnded,
  statementNotDraft,
  statementNotFinalized,
  statementNotReviewed,
} from '../billing-errors.js';

export type StatementStatus = 'draft' | 'finalized' | 'superseded';

/** A review of the figures with this hash. */
export interface Review {
  readonly by: string;
  readonly at: Date;
  readonly figuresHash: string;
}

/** Why there is a revision after the first. */
export interface Correction {
  readonly by: string;
  readonly at: Date;
  readonly reason: string;
}

export interface StatementState {
  readonly id: Uuid;
  readonly partnerId: Uuid;
  readonly period: BillingPeriod;
  /** 1 for the first revision; each correction adds 1. */
  readonly revision: number;
  readonly status: StatementStatus;
  readonly computedAt: Date;
  /** Hash of the stored figures; see FiguresHash. */
  readonly figuresHash: string;
  readonly review: Review | null;
  readonly finalizedBy: string | null;
  readonly finalizedAt: Date | null;
  readonly supersedesStatementId: Uuid | null;
  readonly correction: Correction | null;
  /** True if facts of the month changed after it was finalized, so staff should correct it. Not shown to partners. */
  readonly needsCorrection: boolean;
}

/** Figures computed at one moment. */
export interface ComputedFigures {
  readonly figuresHash: string;
  readonly computedAt: Date;
}

export interface StaffAction {
  /** Name of the staff member. */
  readonly by: string;
  readonly at: Date;
}

/**
 * One revision of a partner's statement for one month. It begins as a draft, which can be recomputed. It is then
 * finalized, which locks its figures, and may be superseded by a correction. There is no way back.
 */
export class Statement {
  #state: StatementState;

  private constructor(state: StatementState) {
    this.#state = state;
  }

  /** The first revision of a month. */
  static draft(of: Pick<StatementState, 'id' | 'partnerId' | 'period'>, figures: ComputedFigures): Statement {
    return new Statement({ ...of, ...UNTOUCHED, ...figures, revision: 1 });
  }

  /** From stored data, which is trusted. */
  static restore(state: StatementState): Statement {
    return new Statement(state);
  }

  get state(): StatementState {
    return this.#state;
  }

  /**
   * Sets newly computed figures. An earlier review is kept, but counts only if these are the reviewed figures.
   * @throws Conflict `statement-not-draft`
   */
  recompute({ figuresHash, computedAt }: ComputedFigures): void {
    this.#assertDraft();
    this.#state = { ...this.#state, figuresHash, computedAt };
  }

  /**
   * Records that the current figures were reviewed.
   * @throws Conflict `statement-not-draft`
   * @throws Invalid if `by` is empty
   */
  review({ by, at }: StaffAction): void {
    this.#assertDraft();
    this.#state = { ...this.#state, review: { by: nameOf(by), at, figuresHash: this.#state.figuresHash } };
  }

  /**
   * Locks the figures. They must have been recomputed from today's facts just before.
   * @throws Conflict `statement-not-draft`, `month-not-ended`, `statement-not-reviewed` or `figures-changed`
   * @throws Invalid if `by` is empty
   */
  finalize({ by, at }: StaffAction): void {
    const { period, review, figuresHash } = this.#state;
    this.#assertDraft();
    if (!period.hasEnded(at)) throw monthNotEnded(period.toString());
    if (review === null) throw statementNotReviewed();
    if (review.figuresHash !== figuresHash) throw figuresChanged();
    this.#state = { ...this.#state, status: 'finalized', finalizedBy: nameOf(by), finalizedAt: at };
  }

  /** Records that a fact of the month changed. Only a finalized statement is flagged; a draft is recomputed anyway. */
  flagForCorrection(): void {
    if (this.#state.status === 'finalized') this.#state = { ...this.#state, needsCorrection: true };
  }

  /**
   * Supersedes this statement and returns the draft of the next revision. A finalized statement is always the latest of
   * its month, because its predecessor was superseded.
   * @param figures computed from today's facts
   * @throws Conflict `statement-not-finalized`
   * @throws Invalid if `by` or `reason` is empty
   */
  correct({ id, by, at, reason }: StaffAction & { id: Uuid; reason: string }, figures: ComputedFigures): Statement {
    const { id: supersedesStatementId, partnerId, period, revision, status } = this.#state;
    if (status !== 'finalized') throw statementNotFinalized();
    const correction = { by: nameOf(by), at, reason: textOf('reason', reason, MAX_REASON_LENGTH) };
    this.#state = { ...this.#state, status: 'superseded', needsCorrection: false };
    const next = { id, partnerId, period, revision: revision + 1, supersedesStatementId, correction };
    return new Statement({ ...UNTOUCHED, ...next, ...figures });
  }

  #assertDraft(): void {
    if (this.#state.status !== 'draft') throw statementNotDraft();
  }
}

const MAX_NAME_LENGTH = 200;
const MAX_REASON_LENGTH = 1000;

const UNTOUCHED = {
  status: 'draft',
  review: null,
  finalizedBy: null,
  finalizedAt: null,
  supersedesStatementId: null,
  correction: null,
  needsCorrection: false,
} as const;

function nameOf(by: string): string {
  return textOf('by', by, MAX_NAME_LENGTH);
}

function textOf(field: string, text: string, maxLength: number): string {
  const trimmed = text.trim();
  if (trimmed === '') throw Invalid.field(field, 'must not be empty');
  if (trimmed.length > maxLength) throw Invalid.field(field, `must have at most ${maxLength} characters`);
  const defect = textDefect(trimmed);
  if (defect !== null) throw Invalid.field(field, defect);
  return trimmed;
}
