import { Injectable } from '@nestjs/common';
import { stringify } from 'yaml';
import { Invalid, Unavailable } from '#kernel/errors';
import { ServiceIntake, type RepositoryTree } from '#libs/services';
import type { Analysis } from '../domain/analysis.js';
import { archiveUrl } from '../domain/git-host.js';
import type { RepositoryFacts } from '../domain/facts/repository-facts.js';
import type { AnalysisResult } from '../domain/result/analysis-result.js';
import { composePlanOf } from '../domain/result/compose-plan.js';
import { composeBodyOf, databaseBodiesOf, gitBodyOf, missingValues } from '../domain/result/deploy-bodies.js';
import { mergeAnswer, type MergedAnalysis } from '../domain/result/merge.js';
import type { ModelAnswer } from '../domain/result/model-answer.js';
import { TemplateCatalog } from './ports/template-catalog.js';
import { evidenceLines } from './reading/evidence-lines.js';

const MAX_PLANNED = 3;

/** Builds the result of an analysis from the facts in files and the answer of the model. */
@Injectable()
export class BuildResult {
  constructor(
    private readonly templates: TemplateCatalog,
    private readonly intake: ServiceIntake,
  ) {}

  async of(
    analysis: Analysis,
    repository: { readonly tree: RepositoryTree; readonly commit: string; readonly branch: string },
    facts: RepositoryFacts,
    answer: ModelAnswer,
  ): Promise<AnalysisResult> {
    const lineOf = await evidenceLines(repository.tree, answer);
    const merged = mergeAnswer(facts, answer, lineOf, await this.templates.ids());
    const { gitHost, repoUrl } = analysis.state;
    const composeYaml = await this.composeText(merged, facts, archiveUrl(gitHost, repoUrl, repository.commit));
    const canBeBuilt = facts.build !== null || facts.dockerfile !== null;
    const missing = missingValues(merged.env_vars);
    const note = missing.length > 0 ? [`The application needs these variables: ${missing.join(', ')}.`] : [];
    return {
      ...merged,
      warnings: [...merged.warnings, ...note],
      dockerfile: facts.dockerfile?.text ?? null,
      compose_yaml: composeYaml,
      deploy: {
        databases: databaseBodiesOf(merged, repoUrl),
        git: gitBodyOf(merged, { url: repoUrl, branch: repository.branch }, canBeBuilt),
        compose: composeBodyOf(merged, composeYaml, repoUrl),
      },
    };
  }

  /** The file goes through the planner, like every compose file. If it is refused, it is not suggested. */
  private async composeText(
    merged: MergedAnalysis,
    facts: RepositoryFacts,
    archive: string | null,
  ): Promise<string | null> {
    const plan = composePlanOf(merged, facts.build, archive);
    if (plan === null) return null;
    const composeYaml = stringify(plan, { lineWidth: 0 });
    const source = { composeYaml, variables: new Map<string, string>(), portsAllowed: false };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.intake.validate(source, merged.resource_limits);
        return composeYaml;
      } catch (error) {
        if (error instanceof Invalid) return null;
        // If the planner is busy, try again.
        if (!(error instanceof Unavailable) || attempt >= MAX_PLANNED) throw error;
      }
    }
  }
}
