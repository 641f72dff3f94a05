import type { Row } from '../lib/row.js';
import { backups } from './backups/index.js';
import { changeLicense } from './change-license.js';
import { coldStart } from './cold-start.js';
import { faultRun } from './fault-run.js';
import { refuseInventedTokens } from './identity.js';
import { issueLicense } from './issue-license.js';
import { ledgerAppend } from './ledger-append.js';
import { listLicenses } from './list-licenses.js';
import { monthClose } from './month-close.js';
import { partnerTreeRows } from './partner-tree.js';
import { planStability } from './plan-stability.js';
import { rateLimiter } from './rate-limiter.js';
import { readLicense } from './read-license.js';
import { revoke } from './revoke.js';
import { acceptService } from './services/accept-service.js';
import { gitBuild } from './services/git-build.js';
import { hostileLag, planCorpus } from './services/compose-files.js';
import { deployGroup } from './services/deploy-group.js';
import { logFanOut } from './services/log-fanout.js';
import { metricsSummary } from './services/metrics-summary.js';
import { reconcileIdle } from './services/reconcile-idle.js';
import { templates } from './services/templates.js';
import { signInCallback } from './sign-in.js';
import { statementCompute } from './statement-compute.js';
import { statementExport } from './statement-export.js';
import { usageAfterEvent } from './usage.js';

/** The rows in the order of their numbers. */
export const ROWS: readonly Row[] = [
  ...readLicense,
  refuseInventedTokens,
  ...issueLicense,
  changeLicense,
  ...listLicenses.slice(0, 2),
  planStability,
  ...listLicenses.slice(2),
  ...statementCompute,
  ...monthClose,
  usageAfterEvent,
  ...statementExport,
  ledgerAppend,
  revoke,
  acceptService,
  ...deployGroup,
  reconcileIdle,
  metricsSummary,
  planCorpus,
  hostileLag,
  signInCallback,
  logFanOut,
  rateLimiter,
  ...coldStart,
  faultRun,
  ...partnerTreeRows,
  ...templates,
  ...gitBuild,
  ...backups,
];
