import { Conflict, Invalid, RateLimited, Unavailable } from '#kernel/errors';

export class GitHostMismatch extends Invalid {
  constructor(provider: string) {
    const message = `repo_url is not a repository on ${provider}`;
    super('git_host_mismatch', message, [{ path: '/repo_url', code: 'git_host_mismatch', message }]);
  }
}

export class AiProviderUnconfigured extends Unavailable {
  constructor() {
    super('ai_provider_unconfigured', 'No AI provider is configured on this panel.');
  }
}

export class AnalysisBudgetExhausted extends RateLimited {
  override readonly slug = 'analysis_budget_exhausted';
  override readonly message = "The organisation's tokens for analyses are used up for today.";
}

export class AnalysisOver extends Conflict {
  constructor() {
    super('invalid_state', 'The analysis has already ended.');
  }
}

/** Stable codes of analyses that failed. */
export type AnalysisFailureCode =
  | 'clone_failed'
  | 'provider_failed'
  | 'provider_timeout'
  | 'invalid_answer'
  | 'analysis_budget_exhausted'
  | 'ai_provider_unconfigured'
  | 'cancelled'
  | 'interrupted'
  | 'internal_error';

/** Why an analysis failed. The message may be shown to the user. */
export class AnalysisFailed extends Error {
  constructor(
    readonly code: AnalysisFailureCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'AnalysisFailed';
  }
}
