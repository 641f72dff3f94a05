import { z } from 'zod';
import { licenseServiceSettings, refuseHalfKeygen } from '#libs/licensing';
import { keyCountSettings, providerSettings } from '#libs/panel-auth';
import { servicesEnv } from '#libs/services';
import { commonSettings } from '#platform/config/common-settings';
import { secretsKeys } from '#platform/config/secrets-keys';

const settings = z.object({
  ...commonSettings,
  ...licenseServiceSettings,
  ...keyCountSettings,
  ...providerSettings,
  ...servicesEnv,
  // Only what reads or writes encrypted values needs the keys.
  SECRETS_KEYS: secretsKeys.optional(),
  // What goes wrong is told by the command itself, in one line.
  LOG_LEVEL: commonSettings.LOG_LEVEL.default('silent'),
});

export const cliSettings = settings.superRefine(refuseHalfKeygen);

export type CliSettings = Readonly<z.output<typeof cliSettings>>;
