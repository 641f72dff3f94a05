import type { Uuid } from '#kernel/crypto/uuid';
import { AnalysisOver, type AnalysisFailureCode } from './analysis-errors.js';
import type { GitHost } from './git-host.js';
import type { AnalysisResult } from './result/analysis-result.js';

export const ANALYSIS_STATUSES = ['queued', 'cloning', 'analyzing', 'completed', 'failed'] as const;
export type AnalysisStatus = (typeof ANALYSIS_STATUSES)[number];

/** Maximum number of attempts, if workers die. */
export const MAX_ATTEMPTS = 3;

export interface AnalysisState {
  readonly id: Uuid;
  /** The organisation that owns it; null for the panel itself. */
  readonly organisationId: Uuid | null;
  readonly gitHost: GitHost;
  readonly repoUrl: string;
  /** Null for the default branch. */
  readonly branch: string | null;
  /** The requested commit; null for the newest of the branch. */
  readonly requestedCommit: string | null;
  /** The analysed commit; null until the repository is cloned. */
  readonly commitSha: string | null;
  readonly status: AnalysisStatus;
  readonly promptVersion: number;
  readonly model: string;
  readonly attempts: number;
  readonly cancelRequested: boolean;
  readonly error: { readonly code: AnalysisFailureCode; readonly message: string } | null;
  readonly result: AnalysisResult | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** One analysis of a repository, from the request to its result. */
export class Analysis {
  private constructor(readonly state: AnalysisState) {}

  static restore(state: AnalysisState): Analysis {
    return new Analysis(state);
  }

  static ask(
    asked: Pick<
      AnalysisState,
      'id' | 'organisationId' | 'gitHost' | 'repoUrl' | 'branch' | 'requestedCommit' | 'promptVersion' | 'model'
    >,
    now: Date,
  ): Analysis {
    return new Analysis({
      ...asked,
      commitSha: null,
      status: 'queued',
      attempts: 0,
      cancelRequested: false,
      error: null,
      result: null,
      createdAt: now,
      completedAt: null,
    });
  }

  get isOver(): boolean {
    return this.state.status === 'completed' || this.state.status === 'failed';
  }

  /** A worker starts it, for the first time or after another worker died. */
  taken(): Analysis {
    return this.with({ status: 'cloning', attempts: this.state.attempts + 1 });
  }

  cloned(commitSha: string): Analysis {
    return this.with({ status: 'analyzing', commitSha });
  }

  completed(result: AnalysisResult, now: Date): Analysis {
    return this.with({ status: 'completed', result, completedAt: now });
  }

  failed(code: AnalysisFailureCode, message: string, now: Date): Analysis {
    return this.with({ status: 'failed', error: { code, message }, completedAt: now });
  }

  /** A queued analysis ends at once, a running one at its next step. @throws AnalysisOver */
  cancelled(now: Date): Analysis {
    if (this.isOver) throw new AnalysisOver();
    if (this.state.status === 'queued') return this.failed('cancelled', 'It was cancelled.', now);
    return this.with({ cancelRequested: true });
  }

  private with(change: Partial<AnalysisState>): Analysis {
    return new Analysis({ ...this.state, ...change });
  }
}
