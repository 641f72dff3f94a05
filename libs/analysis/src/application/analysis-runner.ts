import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Clock } from '#kernel/time/clock';
import { CloneFailed, GitCheckout, parseGitAddress, type ClonedRepository, type GitRef } from '#libs/services';
import { AnalysisBudgetExhausted, AnalysisFailed } from '../domain/analysis-errors.js';
import { AnalysisTurns, TurnLost, type Turn } from './analysis-turns.js';
import { BuildResult } from './build-result.js';
import { ModelQuestions } from './model-questions.js';
import { AnalysisFigures } from './ports/analysis-figures.js';
import { ModelProviders } from './ports/model-provider.js';
import { chooseFiles } from './reading/choose-files.js';
import { knownFacts } from './reading/known-facts.js';
import { readFacts } from './reading/read-facts.js';
import { AnalysisSettings } from './settings.js';
import { TokenBudget } from './token-budget.js';

/**
 * Carries out one analysis in the worker: clones the repository, reads its files, asks the model and stores the result.
 */
@Injectable()
export class AnalysisRunner {
  constructor(
    private readonly turns: AnalysisTurns,
    private readonly checkout: GitCheckout,
    private readonly providers: ModelProviders,
    private readonly questions: ModelQuestions,
    private readonly budget: TokenBudget,
    private readonly results: BuildResult,
    private readonly figures: AnalysisFigures,
    private readonly settings: AnalysisSettings,
    private readonly clock: Clock,
  ) {}

  /** Does nothing if the analysis has ended or another worker has it. @param ends aborted at the worker's shutdown */
  async run(id: Uuid, ends: AbortSignal): Promise<void> {
    const turn = await this.turns.begin(id, ends);
    if (!turn) return;
    const began = this.clock.now().getTime();
    const seconds = () => (this.clock.now().getTime() - began) / 1000;
    try {
      this.figures.finished(await this.carryOut(turn), seconds());
    } catch (error) {
      // Another worker has taken over, or this one is shutting down: the analysis is repeated from its row.
      if (error instanceof TurnLost || ends.aborted) return;
      const failure = this.failureOf(error, turn);
      this.figures.finished(failure.code, seconds());
      await this.turns.change(turn, (analysis) => analysis.failed(failure.code, failure.message, this.clock.now()));
    } finally {
      await this.turns.end(turn);
    }
  }

  private async carryOut(turn: Turn): Promise<'completed' | 'cached'> {
    const { repository, branch } = await this.clone(turn);
    try {
      await this.turns.change(turn, (analysis) => analysis.cloned(repository.commit));
      const known = await this.turns.known(turn);
      if (known) {
        await this.turns.change(turn, (analysis) => analysis.completed(known, this.clock.now()));
        return 'cached';
      }
      const facts = await readFacts(repository);
      await this.turns.progress(turn, 'files', 'The files are read.');
      const answer = await this.ask(turn, repository, knownFacts(facts));
      await this.turns.progress(turn, 'model', 'The model has answered.');
      const place = { tree: repository, commit: repository.commit, branch };
      const result = await this.results.of(turn.analysis, place, facts, answer);
      await this.turns.change(turn, (analysis) => analysis.completed(result, this.clock.now()));
      return 'completed';
    } finally {
      await repository.close();
    }
  }

  private async ask(turn: Turn, repository: ClonedRepository, known: string) {
    const { organisationId } = turn.analysis.state;
    const provider = await this.providers.current();
    if (!provider) throw new AnalysisFailed('ai_provider_unconfigured', 'The AI provider is no longer configured.');
    await this.budget.assertLeft(organisationId);
    const files = await chooseFiles(repository, this.settings.inputTokens);
    const spent = (tokens: number) => this.budget.spend(organisationId, tokens);
    return this.questions.ask(provider, files, known, spent, turn.signal);
  }

  private async clone({ analysis, signal }: Turn): Promise<{ repository: ClonedRepository; branch: string }> {
    const { repoUrl, branch: asked, requestedCommit } = analysis.state;
    const parsed = parseGitAddress(repoUrl);
    if ('defect' in parsed) throw new AnalysisFailed('clone_failed', 'The address of the repository is not valid.');
    const from = { address: parsed.address, deployKey: null, knownHosts: null };
    const branch = asked ?? (await this.checkout.defaultBranch(from, signal)).name;
    const ref: GitRef =
      requestedCommit === null ? { kind: 'branch', name: branch } : { kind: 'commit', sha: requestedCommit };
    return { repository: await this.checkout.clone({ ...from, ref }, signal), branch };
  }

  private failureOf(error: unknown, { signal }: Turn): AnalysisFailed {
    if (error instanceof AnalysisFailed) return error;
    if (signal.aborted) return new AnalysisFailed('cancelled', 'It was cancelled.');
    if (error instanceof CloneFailed) return new AnalysisFailed('clone_failed', error.message);
    if (error instanceof AnalysisBudgetExhausted) return new AnalysisFailed('analysis_budget_exhausted', error.message);
    this.turns.report(error);
    return new AnalysisFailed('internal_error', 'Something went wrong on our side.', { cause: error });
  }
}
