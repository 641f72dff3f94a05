import { z } from 'zod';
import { analysisEnv, refuseHalfProvider } from '#libs/analysis';
import { backupsEnv, backupStorageEnv, refuseHalfS3 } from '#libs/backups';
import { licenseServiceSettings, refuseHalfKeygen } from '#libs/licensing';
import { keyCountSettings } from '#libs/panel-auth';
import { refuseHalfRegistry, servicesEnv } from '#libs/services';
import { commonSettings } from '#platform/config/common-settings';
import { secretsKeys } from '#platform/config/secrets-keys';
import { port } from '#platform/config/setting-types';

export const workerSettings = z
  .object({
    ...commonSettings,
    ...licenseServiceSettings,
    ...keyCountSettings,
    ...servicesEnv,
    ...analysisEnv,
    ...backupsEnv,
    ...backupStorageEnv,
    // Without the keys every deployment fails with `secret_undecryptable`.
    SECRETS_KEYS: secretsKeys.optional(),
    WORKER_METRICS_PORT: port(9466),
  })
  .superRefine(refuseHalfKeygen)
  .superRefine(refuseHalfProvider)
  .superRefine(refuseHalfS3)
  .superRefine(refuseHalfRegistry);

export type WorkerSettings = Readonly<z.output<typeof workerSettings>>;
