import { Injectable, Logger } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Clock } from '#kernel/time/clock';
import { Transactions } from '#kernel/transactions';
import { OrganisationScope } from '#libs/services';
import { MAX_ATTEMPTS, type Analysis } from '../domain/analysis.js';
import type { AnalysisResult } from '../domain/result/analysis-result.js';
import { AnalysisJournal } from './analysis-journal.js';
import { AnalysisRepository } from './ports/analysis-repository.js';

/** A worker that has not renewed its lease for this long counts as dead. */
export const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 2_000;

/** The lease is lost: another worker has the analysis, or it has ended. */
export class TurnLost extends Error {}

/** One attempt of one worker at one analysis. */
export interface Turn {
  analysis: Analysis;
  /** Aborted if the analysis is cancelled, the lease is lost, or the worker shuts down. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

/** Leases for analyses: one worker at a time carries out an analysis, and it is repeated if its worker died. */
@Injectable()
export class AnalysisTurns {
  private readonly logger = new Logger(AnalysisTurns.name);

  constructor(
    private readonly analyses: AnalysisRepository,
    private readonly journal: AnalysisJournal,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Null if there is nothing to do: the analysis has ended, was deleted, or another worker has it. */
  async begin(id: Uuid, ends: AbortSignal): Promise<Turn | null> {
    const taken = await this.transactions.run(async () => {
      const analysis = await this.analyses.getForUpdate(OrganisationScope.all, id);
      if (!analysis || analysis.isOver) return null;
      const held = await this.analyses.leasedUntil(id);
      const now = this.clock.now();
      if (held && held.getTime() > now.getTime()) return null;
      const next = this.taken(analysis, now);
      await this.analyses.update(next);
      await this.journal.note(next);
      if (!next.isOver) await this.analyses.lease(id, new Date(now.getTime() + LEASE_MS));
      return next.isOver ? null : next;
    });
    if (!taken) return null;
    const own = new AbortController();
    const renewal = setInterval(() => void this.renew(turn, own), RENEW_EVERY_MS);
    const turn: Turn = {
      analysis: taken,
      signal: AbortSignal.any([own.signal, ends]),
      stop: () => clearInterval(renewal),
    };
    return turn;
  }

  /** @throws TurnLost */
  async change(turn: Turn, change: (analysis: Analysis) => Analysis): Promise<void> {
    turn.analysis = await this.transactions.run(async () => {
      const next = change(await this.owned(turn));
      await this.analyses.update(next);
      await this.journal.note(next);
      return next;
    });
  }

  /** @throws TurnLost */
  async progress(turn: Turn, step: string, message: string): Promise<void> {
    await this.transactions.run(async () => this.journal.progress(await this.owned(turn), step, message));
  }

  /** The result of the same commit, asked of the same model with the same prompt; null without one. */
  async known({ analysis }: Turn): Promise<AnalysisResult | null> {
    const { organisationId, repoUrl, commitSha, promptVersion, model } = analysis.state;
    if (commitSha === null) return null;
    const found = await this.analyses.cached({ organisationId, repoUrl, commitSha, promptVersion, model });
    return found?.state.result ?? null;
  }

  async end(turn: Turn): Promise<void> {
    turn.stop();
    await this.transactions.run(async () => {
      const own = await this.owned(turn).catch(() => null);
      if (own) await this.analyses.lease(own.state.id, null);
    });
  }

  report(error: unknown): void {
    this.logger.error(`an analysis failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }

  private taken(analysis: Analysis, now: Date): Analysis {
    if (analysis.state.cancelRequested) return analysis.failed('cancelled', 'It was cancelled.', now);
    if (analysis.state.attempts < MAX_ATTEMPTS) return analysis.taken();
    return analysis.failed('interrupted', 'The analysis was interrupted too many times.', now);
  }

  /** Call under the lock: the number of the attempt shows whether the lease is still held. @throws TurnLost */
  private async owned({ analysis }: Turn): Promise<Analysis> {
    const { id, attempts } = analysis.state;
    const current = await this.analyses.getForUpdate(OrganisationScope.all, id);
    if (!current || current.state.attempts !== attempts) throw new TurnLost();
    return current;
  }

  private async renew(turn: Turn, own: AbortController): Promise<void> {
    try {
      await this.transactions.run(async () => {
        const current = await this.owned(turn);
        if (current.state.cancelRequested || current.isOver) own.abort();
        else await this.analyses.lease(current.state.id, new Date(this.clock.now().getTime() + LEASE_MS));
      });
    } catch (error) {
      if (error instanceof TurnLost) own.abort();
      else this.logger.warn(`a lease was not renewed: ${String(error)}`);
    }
  }
}
