import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '#libs/services';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { AnalysisRepository, type CacheKey } from '../../application/ports/analysis-repository.js';
import type { Analysis, AnalysisState } from '../../domain/analysis.js';
import { ANALYSIS_COLUMNS, firstOf, inScope, scopeIds } from './analysis-columns.js';

@Injectable()
export class SqlAnalysisRepository extends AnalysisRepository {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async insert({ state }: Analysis): Promise<void> {
    await this.transactions.writer.query(
      `insert into analysis.analyses (id, organisation_id, git_host, repo_url, branch, requested_commit, status,
         prompt_version, model, attempts, cancel_requested, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        ...[state.id, state.organisationId, state.gitHost, state.repoUrl, state.branch, state.requestedCommit],
        ...[state.status, state.promptVersion, state.model, state.attempts, state.cancelRequested, state.createdAt],
      ],
    );
  }

  async get(scope: OrganisationScope, id: Uuid): Promise<Analysis | null> {
    const rows: AnalysisState[] = await this.transactions.reader.query(
      `select ${ANALYSIS_COLUMNS} from analysis.analyses a where a.id = $1 and ${inScope('$2')}`,
      [id, scopeIds(scope)],
    );
    return firstOf(rows);
  }

  async getForUpdate(scope: OrganisationScope, id: Uuid): Promise<Analysis | null> {
    const rows: AnalysisState[] = await this.transactions.writer.query(
      `select ${ANALYSIS_COLUMNS} from analysis.analyses a where a.id = $1 and ${inScope('$2')} for update`,
      [id, scopeIds(scope)],
    );
    return firstOf(rows);
  }

  async update({ state }: Analysis): Promise<void> {
    await this.transactions.writer.query(
      `update analysis.analyses set commit_sha = $2, status = $3, attempts = $4, cancel_requested = $5, error = $6,
         result = $7, completed_at = $8 where id = $1`,
      [
        ...[state.id, state.commitSha, state.status, state.attempts, state.cancelRequested],
        ...[jsonOf(state.error), jsonOf(state.result), state.completedAt],
      ],
    );
  }

  async lease(id: Uuid, until: Date | null): Promise<void> {
    await this.transactions.writer.query('update analysis.analyses set leased_until = $2 where id = $1', [id, until]);
  }

  async leasedUntil(id: Uuid): Promise<Date | null> {
    const rows: { until: Date | null }[] = await this.transactions.writer.query(
      'select leased_until as until from analysis.analyses where id = $1',
      [id],
    );
    return rows[0]?.until ?? null;
  }

  async cached({ organisationId, repoUrl, commitSha, promptVersion, model }: CacheKey): Promise<Analysis | null> {
    const rows: AnalysisState[] = await this.transactions.reader.query(
      `select ${ANALYSIS_COLUMNS} from analysis.analyses a
        where a.status = 'completed' and a.repo_url = $2 and a.commit_sha = $3 and a.prompt_version = $4
          and a.model = $5 and a.organisation_id is not distinct from $1
        order by a.completed_at desc limit 1`,
      [organisationId, repoUrl, commitSha, promptVersion, model],
    );
    return firstOf(rows);
  }

  async hasComplete({ organisationId, repoUrl, promptVersion, model }: Omit<CacheKey, 'commitSha'>): Promise<boolean> {
    const rows: unknown[] = await this.transactions.reader.query(
      `select 1 from analysis.analyses a
        where a.status = 'completed' and a.repo_url = $2 and a.prompt_version = $3 and a.model = $4
          and a.organisation_id is not distinct from $1 limit 1`,
      [organisationId, repoUrl, promptVersion, model],
    );
    return rows.length > 0;
  }

  async underWay({ state }: Analysis): Promise<Analysis | null> {
    const rows: AnalysisState[] = await this.transactions.reader.query(
      `select ${ANALYSIS_COLUMNS} from analysis.analyses a
        where a.status in ('queued', 'cloning', 'analyzing') and not a.cancel_requested
          and a.organisation_id is not distinct from $1 and a.repo_url = $2 and a.branch is not distinct from $3
          and a.requested_commit is not distinct from $4 and a.prompt_version = $5 and a.model = $6
        order by a.created_at limit 1`,
      [
        ...[state.organisationId, state.repoUrl, state.branch, state.requestedCommit],
        ...[state.promptVersion, state.model],
      ],
    );
    return firstOf(rows);
  }

  async withoutWorker(now: Date, limit: number): Promise<readonly Uuid[]> {
    const rows: { id: Uuid }[] = await this.transactions.reader.query(
      `select a.id from analysis.analyses a
        where a.status in ('queued', 'cloning', 'analyzing') and (a.leased_until is null or a.leased_until <= $1)
        order by a.created_at limit $2`,
      [now, limit],
    );
    return rows.map(({ id }) => id);
  }
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
