import type { OrganisationScope } from '#libs/services';
import { Analysis, type AnalysisState } from '../../domain/analysis.js';

/** The columns of analysis.analyses under their domain names. */
export const ANALYSIS_COLUMNS = `
  a.id, a.organisation_id as "organisationId", a.git_host as "gitHost", a.repo_url as "repoUrl", a.branch,
  a.requested_commit as "requestedCommit", a.commit_sha as "commitSha", a.status,
  a.prompt_version as "promptVersion", a.model, a.attempts, a.cancel_requested as "cancelRequested", a.error, a.result,
  a.created_at as "createdAt", a.completed_at as "completedAt"`;

export function firstOf(rows: readonly AnalysisState[]): Analysis | null {
  return rows[0] ? Analysis.restore(rows[0]) : null;
}

/** The condition that limits a query to a scope. `parameter` is bound to the ids of the scope, or null for all. */
export const inScope = (parameter: string): string =>
  `(${parameter}::uuid[] is null or a.organisation_id = any(${parameter}::uuid[]))`;

export function scopeIds(scope: OrganisationScope): readonly string[] | null {
  return scope.organisationIds;
}
