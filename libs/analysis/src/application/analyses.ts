import { Injectable } from '@nestjs/common';
import { Invalid, NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import type { Uuid } from '#kernel/crypto/uuid';
import { Clock } from '#kernel/time/clock';
import { Transactions } from '#kernel/transactions';
import { GitCheckout, parseGitAddress, parseGitRef, type GitAddress, type OrganisationScope } from '#libs/services';
import { AiProviderUnconfigured, GitHostMismatch } from '../domain/analysis-errors.js';
import { Analysis } from '../domain/analysis.js';
import { isHostOf, type GitHost } from '../domain/git-host.js';
import { PROMPT_VERSION } from '../domain/prompt/prompt.js';
import { AnalysisJournal } from './analysis-journal.js';
import { AnalysisQueue } from './ports/analysis-queue.js';
import { AnalysisRepository } from './ports/analysis-repository.js';
import { ModelProviders } from './ports/model-provider.js';
import { TokenBudget } from './token-budget.js';

/** How long a request waits for the newest commit of a branch. After that, the job looks it up. */
const RESOLVE_MS = 4_000;

export interface AskedAnalysis {
  readonly organisationId: Uuid | null;
  readonly gitHost: GitHost;
  readonly repoUrl: string;
  readonly branch: string | null;
  readonly commitSha: string | null;
}

/** Accepts and shows analyses. Accepted analyses are stored and carried out by a worker. */
@Injectable()
export class Analyses {
  constructor(
    private readonly analyses: AnalysisRepository,
    private readonly journal: AnalysisJournal,
    private readonly providers: ModelProviders,
    private readonly budget: TokenBudget,
    private readonly queue: AnalysisQueue,
    private readonly checkout: GitCheckout,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Returns a completed analysis of the same repository, commit, prompt version and model; or one in progress; or a new
   * one.
   * @throws Invalid, GitHostMismatch; AiProviderUnconfigured; AnalysisBudgetExhausted
   */
  async ask(asked: AskedAnalysis): Promise<Analysis> {
    const address = addressOf(asked);
    const provider = await this.providers.current();
    if (!provider) throw new AiProviderUnconfigured();
    const { organisationId, gitHost, branch, commitSha } = asked;
    const analysis = Analysis.ask(
      {
        id: this.randomness.uuid(),
        organisationId,
        gitHost,
        branch,
        repoUrl: address.url,
        requestedCommit: commitSha?.toLowerCase() ?? null,
        promptVersion: PROMPT_VERSION,
        model: provider.model,
      },
      this.clock.now(),
    );
    const known = (await this.cached(analysis, address)) ?? (await this.analyses.underWay(analysis));
    if (known) return known;
    await this.budget.assertLeft(organisationId);
    await this.transactions.run(async () => {
      await this.analyses.insert(analysis);
      await this.journal.note(analysis);
    });
    // If the queue does not respond, the request still succeeds: the worker finds the row.
    await this.queue.send([analysis.state.id]).catch(() => undefined);
    return analysis;
  }

  /** @throws NotFound */
  async get(scope: OrganisationScope, id: Uuid): Promise<Analysis> {
    const analysis = await this.analyses.get(scope, id);
    if (!analysis) throw new NotFound();
    return analysis;
  }

  /** @throws NotFound, AnalysisOver */
  async cancel(scope: OrganisationScope, id: Uuid): Promise<Analysis> {
    return this.transactions.run(async () => {
      const found = await this.analyses.getForUpdate(scope, id);
      if (!found) throw new NotFound();
      const cancelled = found.cancelled(this.clock.now());
      await this.analyses.update(cancelled);
      if (cancelled.isOver) await this.journal.note(cancelled);
      return cancelled;
    });
  }

  private async cached(analysis: Analysis, address: GitAddress): Promise<Analysis | null> {
    const { requestedCommit, organisationId, repoUrl, promptVersion, model } = analysis.state;
    const key = { organisationId, repoUrl, promptVersion, model };
    if (requestedCommit !== null) return this.analyses.cached({ ...key, commitSha: requestedCommit });
    // The newest commit is looked up only if there is a stored result that could match.
    if (!(await this.analyses.hasComplete(key))) return null;
    const commitSha = await this.newest(address, analysis.state.branch);
    return commitSha === null ? null : this.analyses.cached({ ...key, commitSha });
  }

  /** Null if the host cannot say it quickly. The job finds out then. */
  private async newest(address: GitAddress, branch: string | null): Promise<string | null> {
    const from = { address, deployKey: null, knownHosts: null };
    const signal = AbortSignal.timeout(RESOLVE_MS);
    const asked =
      branch === null
        ? this.checkout.defaultBranch(from, signal).then(({ commit }) => commit)
        : this.checkout.resolve({ ...from, ref: { kind: 'branch', name: branch } }, signal);
    return asked.catch(() => null);
  }
}

/** @throws Invalid naming the field; GitHostMismatch */
function addressOf({ repoUrl, branch, commitSha, gitHost }: AskedAnalysis): GitAddress {
  const parsed = parseGitAddress(repoUrl);
  if ('defect' in parsed) throw Invalid.field('repo_url', parsed.defect);
  if (!isHostOf(gitHost, parsed.address.host)) throw new GitHostMismatch(gitHost);
  if (parsed.address.transport !== 'https') throw Invalid.field('repo_url', 'must be an https address');
  if (branch !== null && parseGitRef(branch)?.kind !== 'branch')
    throw Invalid.field('branch', 'is not a valid branch name');
  if (commitSha !== null && parseGitRef(commitSha)?.kind !== 'commit')
    throw Invalid.field('commit_sha', 'must be the 40 hexadecimal digits of a commit');
  return parsed.address;
}
