import { Injectable } from '@nestjs/common';
import { PartnerAccount } from '#libs/partners';
import { BillingDate } from '#kernel/time/calendar-date';
import type { BillingPeriod } from '#kernel/time/billing-period';
import { Clock } from '#kernel/time/clock';
import { DomainError, Invalid, NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { monthNotEnded, statementNotReviewed } from '../domain/billing-errors.js';
import { Statement, type StaffAction } from '../domain/statements/statement.js';
import { BufferedFigures } from './buffered-figures.js';
import { FiguresStore } from './ports/figures-store.js';
import { PartnerBooks } from './ports/partner-books.js';
import { StatementRepository, type StatementRecord } from './ports/statement-repository.js';
import { StatementComputation, type Computed } from './statement-computation.js';
import { DigestingSink, StatementDigests, type Digests } from './statement-digests.js';
import { statementView, type StatementView } from './statement-view.js';

/** `nothing`: there is nothing to bill in that month. `locked`: a finalized statement exists already. */
export type StatementOutcome =
  { readonly outcome: 'done' | 'locked'; readonly statement: StatementView } | { readonly outcome: 'nothing' };

/** A newly computed draft. */
interface ComputedDraft {
  readonly record: StatementRecord;
  readonly computed: Computed;
}

/**
 * Computes, reviews, locks and corrects the statements of one partner at a time, each time in one transaction. A month
 * in which a partner has nothing to bill gets no statement, except as a correction of a finalized one.
 */
@Injectable()
export class StatementService {
  constructor(
    private readonly statements: StatementRepository,
    private readonly computation: StatementComputation,
    private readonly store: FiguresStore,
    private readonly digests: StatementDigests,
    private readonly books: PartnerBooks,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Updates the draft of the month; the current month is computed through today. */
  recomputeDraft(partnerId: Uuid, period: BillingPeriod): Promise<StatementOutcome> {
    this.assertBegun(period);
    return this.unlessLocked(partnerId, period, async (current) => {
      const draft = await this.computeDraft(partnerId, period, current);
      return draft?.record ?? null;
    });
  }

  /**
   * Recomputes the draft and records that `by` has reviewed its figures.
   * @throws Invalid if `by` is empty or the month has not begun
   */
  review(partnerId: Uuid, period: BillingPeriod, by: string): Promise<StatementOutcome> {
    this.assertBegun(period);
    return this.unlessLocked(partnerId, period, async (current) => {
      const draft = await this.computeReviewedDraft(partnerId, period, current, by);
      return draft?.record ?? null;
    });
  }

  /**
   * Locks the reviewed draft of a month that has ended. An already finalized statement stays as it is.
   * @throws Conflict `month-not-ended`, `statement-not-reviewed`, or `figures-changed` if today's facts give figures
   * other than the reviewed ones
   * @throws Invalid if `by` is empty
   */
  finalize(partnerId: Uuid, period: BillingPeriod, by: string): Promise<StatementOutcome> {
    this.assertEnded(period);
    const now = this.clock.now();
    return this.unlessLocked(partnerId, period, async (current) => {
      const digesting = current && (await this.digestInAdvance(current, { by, at: now }));
      const computed = await this.computation.check(partnerId, period, now, digesting);
      if (isNothing(current, computed)) return null;
      if (!current) throw statementNotReviewed();
      const { statement } = current;
      if (statement.state.figuresHash !== computed.figuresHash) {
        statement.recompute({ figuresHash: computed.figuresHash, computedAt: now });
      }
      statement.finalize({ by, at: now });
      return this.lock(current, computed, now, digesting?.finish() ?? null);
    });
  }

  /**
   * `review` and `finalize` in one step. The figures are computed only once.
   * @throws Conflict `month-not-ended`
   * @throws Invalid if `by` is empty
   */
  reviewAndFinalize(partnerId: Uuid, period: BillingPeriod, by: string): Promise<StatementOutcome> {
    this.assertEnded(period);
    return this.unlessLocked(partnerId, period, async (current) => {
      const buffered = new BufferedFigures();
      const draft = await this.computeReviewedDraft(partnerId, period, current, by, buffered);
      if (!draft) return null;
      const { statement, figures } = draft.record;
      const now = this.clock.now();
      statement.finalize({ by, at: now });
      const digests = buffered.digests(statement.state, figures.totals, await this.store.lines(figures.number));
      return this.lock(draft.record, draft.computed, now, digests);
    });
  }

  /**
   * Supersedes a finalized statement and computes the draft of the next revision from today's facts.
   * @throws NotFound if there is no such statement
   * @throws Conflict `statement-not-finalized` if it is a draft or already superseded
   * @throws Invalid if `by` or `reason` is empty
   */
  async correct(id: Uuid, by: string, reason: string): Promise<StatementView> {
    const partnerId = await this.statements.ownerOf(id);
    if (!partnerId) throw new NotFound();
    return this.books.close(partnerId, async () => {
      const record = await this.statements.find(PartnerAccount.of(partnerId), id);
      if (!record) throw new NotFound();
      const now = this.clock.now();
      const { period } = record.statement.state;
      const { figures, ...computed } = await this.computation.compute(partnerId, period, now);
      const action = { id: this.randomness.uuid(), by, reason, at: now };
      const next = record.statement.correct(action, { figuresHash: computed.figuresHash, computedAt: now });
      await this.statements.update(record);
      const draft = { statement: next, figures, previousFigures: null };
      await this.statements.insert(draft);
      return statementView(draft);
    });
  }

  /** @param work gets the draft, if there is one, and returns the new one, or null if there is nothing to bill */
  private unlessLocked(
    partnerId: Uuid,
    period: BillingPeriod,
    work: (current: StatementRecord | null) => Promise<StatementRecord | null>,
  ): Promise<StatementOutcome> {
    return this.books.close(partnerId, async () => {
      const current = await this.statements.latest(PartnerAccount.of(partnerId), period);
      if (current && isLocked(current)) return { outcome: 'locked', statement: statementView(current) };
      const record = await work(current);
      return record ? { outcome: 'done', statement: statementView(record) } : { outcome: 'nothing' };
    });
  }

  /** Same as `computeDraft`, and records the review; null if there is nothing to bill. */
  private async computeReviewedDraft(
    partnerId: Uuid,
    period: BillingPeriod,
    current: StatementRecord | null,
    by: string,
    buffered: BufferedFigures | null = null,
  ): Promise<ComputedDraft | null> {
    const draft = await this.computeDraft(partnerId, period, current, buffered);
    if (!draft || isNothing(draft.record, draft.computed)) return null;
    const { statement } = draft.record;
    statement.review({ by, at: this.clock.now() });
    await this.statements.addReview(statement);
    return draft;
  }

  /**
   * Computes and stores the draft, as a new one or in place of the current one. The current month always gets a draft,
   * even without usage. Null for a month that has ended with nothing to bill.
   * @param buffered gets the figures as well
   */
  private async computeDraft(
    partnerId: Uuid,
    period: BillingPeriod,
    current: StatementRecord | null,
    buffered: BufferedFigures | null = null,
  ): Promise<ComputedDraft | null> {
    const now = this.clock.now();
    const unchanged = current && (await this.unchanged(current, now, buffered));
    if (current && unchanged) {
      current.statement.recompute({ figuresHash: unchanged.figuresHash, computedAt: now });
      await this.statements.update(current);
      return { record: current, computed: unchanged };
    }
    buffered?.clear();
    const { figures, ...computed } = await this.computation.compute(partnerId, period, now, buffered);
    const figuresNow = { figuresHash: computed.figuresHash, computedAt: now };
    if (!current) {
      if (computed.isEmpty && period.hasEnded(now)) return null;
      const statement = Statement.draft({ id: this.randomness.uuid(), partnerId, period }, figuresNow);
      const record = { statement, figures, previousFigures: null };
      await this.statements.insert(record);
      return { record, computed };
    }
    current.statement.recompute(figuresNow);
    if (current.previousFigures !== null) await this.store.remove(current.previousFigures);
    const record = { ...current, figures, previousFigures: current.figures.number };
    await this.statements.update(record);
    return { record, computed };
  }

  /** Today's figures if they match the stored ones; null if they differ or other days are billed now. */
  private async unchanged(
    { statement, figures }: StatementRecord,
    now: Date,
    buffered: BufferedFigures | null,
  ): Promise<Computed | null> {
    const { partnerId, period, computedAt } = statement.state;
    if (billedThrough(period, computedAt) !== billedThrough(period, now)) return null;
    const computed = await this.computation.check(partnerId, period, now, buffered);
    return computed.contentsHash === figures.contentsHash ? computed : null;
  }

  /**
   * Prepares the file digests in case today's facts match the stored figures. Null if the statement cannot be finalized
   * with these figures.
   */
  private async digestInAdvance(
    { statement, figures }: StatementRecord,
    action: StaffAction,
  ): Promise<DigestingSink | null> {
    const finalized = Statement.restore(statement.state);
    try {
      finalized.finalize(action);
    } catch (error) {
      // `finalize` throws it later, because "nothing to bill" takes precedence.
      if (error instanceof DomainError) return null;
      throw error;
    }
    return new DigestingSink(finalized.state, figures.totals, await this.store.lines(figures.number));
  }

  /**
   * Locks the printed contents. They are stored again if a name has changed since the draft, then the digests of the
   * files are stored.
   * @param advanceDigests valid only if the stored figures equal the computed ones; null if unknown
   */
  private async lock(
    current: StatementRecord,
    computed: Computed,
    now: Date,
    advanceDigests: Digests | null,
  ): Promise<StatementRecord> {
    const { partnerId, period, id } = current.statement.state;
    const isStored = current.figures.contentsHash === computed.contentsHash;
    let { figures } = current;
    if (current.previousFigures !== null) await this.store.remove(current.previousFigures);
    if (!isStored) {
      await this.store.remove(figures.number);
      ({ figures } = await this.computation.compute(partnerId, period, now));
    }
    const record: StatementRecord = { statement: current.statement, figures, previousFigures: null };
    await this.statements.update(record);
    const known = isStored ? advanceDigests : null;
    await this.statements.addDigests(
      id,
      known ?? (await this.digests.of(record, await this.store.lines(figures.number))),
    );
    return record;
  }

  /** @throws Conflict `month-not-ended` */
  assertEnded(period: BillingPeriod): void {
    if (!period.hasEnded(this.clock.now())) throw monthNotEnded(period.toString());
  }

  private assertBegun(period: BillingPeriod): void {
    if (this.clock.now() < period.firstDay.startsAt()) throw Invalid.field('period', 'must not be in the future');
  }
}

function isLocked({ statement }: StatementRecord): boolean {
  return statement.state.status !== 'draft';
}

/** A month without a line needs no first revision. A correction needs a statement even if nothing is left. */
function isNothing(record: StatementRecord | null, { isEmpty }: Computed): boolean {
  return isEmpty && (record?.statement.state.revision ?? 1) === 1;
}

/** Epoch day of the last day billed as of `now`. */
function billedThrough(period: BillingPeriod, now: Date): number {
  return Math.min(period.lastDay.epochDay, BillingDate.of(now).epochDay);
}
