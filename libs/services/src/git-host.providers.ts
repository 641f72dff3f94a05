import type { Provider } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { KeyRing } from '#platform/key-ring';
import { CommitStatusRecords } from './application/ports/git/commit-status-records.js';
import { GitHostApi } from './application/ports/git/git-host-api.js';
import { GitHooks } from './application/ports/git/git-hooks.js';
import { GitHostSettings } from './application/ports/git/git-host-settings.js';
import { PreviewRecords } from './application/ports/git/preview-records.js';
import { GitHostChoices } from './application/hooks/git-host-choices.js';
import { NewPreviews } from './application/previews/new-previews.js';
import { PreviewSweep } from './application/previews/preview-sweep.js';
import { PullRequestPreviews } from './application/previews/pull-request-previews.js';
import { CommitStatusReports } from './application/statuses/commit-status-reports.js';
import { CommitStatusSettings } from './application/statuses/commit-status-settings.js';
import { SqlCommitStatusRecords } from './infrastructure/git/sql/sql-commit-status-records.js';
import { SqlGitHooks } from './infrastructure/git/sql/sql-git-hooks.js';
import { SqlGitHostSettings } from './infrastructure/git/sql/sql-git-host-settings.js';
import { SqlPreviewRecords } from './infrastructure/git/sql/sql-preview-records.js';

export interface GitHostOptions {
  readonly api: GitHostApi;
  readonly statuses: CommitStatusSettings;
}

/** What services have to do with the hosts of their repositories, besides being cloned from there. */
export function gitHostParts({ api, statuses }: GitHostOptions, keyRing: KeyRing | null): Provider[] {
  return [
    {
      provide: GitHooks,
      inject: [TypeOrmTransactions],
      useFactory: (transactions: TypeOrmTransactions) => new SqlGitHooks(transactions, keyRing),
    },
    {
      provide: GitHostSettings,
      inject: [TypeOrmTransactions],
      useFactory: (transactions: TypeOrmTransactions) => new SqlGitHostSettings(transactions, keyRing),
    },
    { provide: GitHostApi, useValue: api },
    { provide: CommitStatusSettings, useValue: statuses },
    { provide: CommitStatusRecords, useClass: SqlCommitStatusRecords },
    { provide: PreviewRecords, useClass: SqlPreviewRecords },
    NewPreviews,
    PullRequestPreviews,
  ];
}

/** What the apps may ask for. */
export const gitHostServices = [GitHostChoices, PreviewSweep, CommitStatusReports];
