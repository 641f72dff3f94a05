import type { Provider } from '@nestjs/common';
import { GitHostSettings } from './application/ports/git/git-host-settings.js';
import { PreviewRecords } from './application/ports/git/preview-records.js';
import { GitHostChoices } from './application/previews/git-host-choices.js';
import { NewPreviews } from './application/previews/new-previews.js';
import { PreviewSweep } from './application/previews/preview-sweep.js';
import { PullRequestPreviews } from './application/previews/pull-request-previews.js';
import { SqlGitHostSettings } from './infrastructure/git/sql/sql-git-host-settings.js';
import { SqlPreviewRecords } from './infrastructure/git/sql/sql-preview-records.js';

/** What services have to do with the hosts of their repositories, besides being cloned from there. */
export const gitHostParts: Provider[] = [
  { provide: GitHostSettings, useClass: SqlGitHostSettings },
  { provide: PreviewRecords, useClass: SqlPreviewRecords },
  NewPreviews,
  PullRequestPreviews,
];

/** What the apps may ask for. */
export const gitHostServices = [GitHostChoices, PreviewSweep];
