import { Platform1767225600000 } from './1767225600000-platform.js';
import { Partners1767225601000 } from './1767225601000-partners.js';
import { Tokens1767225602000 } from './1767225602000-tokens.js';
import { Customers1767225603000 } from './1767225603000-customers.js';
import { Billing1767225604000 } from './1767225604000-billing.js';
import { Licensing1767225605000 } from './1767225605000-licensing.js';
import { LicenseService1767225606000 } from './1767225606000-license-service.js';
import { PanelAuth1767225720000 } from './1767225720000-panel-auth.js';
import { Services1767225730000 } from './1767225730000-services.js';
import { ServiceVersions1767225740000 } from './1767225740000-service-versions.js';
import { Domains1767225741000 } from './1767225741000-domains.js';
import { Automation1767225760000 } from './1767225760000-automation.js';
import { TemplateServices1767225750000 } from './1767225750000-template-services.js';
import { Analysis1767225765000 } from './1767225765000-analysis.js';
import { Git1767225775000 } from './1767225775000-git.js';
import { GitRedelivery1767225776000 } from './1767225776000-git-redelivery.js';
import { GitBuildLayers1767225777000 } from './1767225777000-git-build-layers.js';
import { OwnServices1767225778000 } from './1767225778000-own-services.js';
import { KeyRing1767225780000 } from './1767225780000-key-ring.js';
import { BackupKeys1767225790000 } from './1767225790000-backup-keys.js';
import { Backups1767225791000 } from './1767225791000-backups.js';
import { BackupLogs1767225795000 } from './1767225795000-backup-logs.js';
import { AwaitedData1767225810000 } from './1767225810000-awaited-data.js';
import { GitPreviews1767225820000 } from './1767225820000-git-previews.js';
import { BinaryLogs1767225838000 } from './1767225838000-binary-logs.js';
import { CommitStatuses1767225821000 } from './1767225821000-commit-statuses.js';
import { GitImageDigests1767225830000 } from './1767225830000-git-image-digests.js';
import { RestoresOfService1767225836000 } from './1767225836000-restores-of-service.js';
import { BaseCopies1767225840000 } from './1767225840000-base-copies.js';
import { BackupAlarms1767225848000 } from './1767225848000-backup-alarms.js';

/** Every migration, oldest first: one makes each context, later ones change it. */
export const migrations = [
  Platform1767225600000,
  Partners1767225601000,
  Tokens1767225602000,
  Customers1767225603000,
  Billing1767225604000,
  Licensing1767225605000,
  LicenseService1767225606000,
  PanelAuth1767225720000,
  Services1767225730000,
  ServiceVersions1767225740000,
  Domains1767225741000,
  TemplateServices1767225750000,
  Automation1767225760000,
  Analysis1767225765000,
  Git1767225775000,
  GitRedelivery1767225776000,
  GitBuildLayers1767225777000,
  OwnServices1767225778000,
  KeyRing1767225780000,
  BackupKeys1767225790000,
  Backups1767225791000,
  BackupLogs1767225795000,
  AwaitedData1767225810000,
  GitPreviews1767225820000,
  CommitStatuses1767225821000,
  GitImageDigests1767225830000,
  RestoresOfService1767225836000,
  BinaryLogs1767225838000,
  BaseCopies1767225840000,
  BackupAlarms1767225848000,
];
