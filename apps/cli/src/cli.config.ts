import { z } from 'zod';
import { commonSettings } from '#platform/config/common-settings';
import { secretsKeys } from '#platform/config/secrets-keys';

/** Settings of every staff command; each side of the product adds its own. */
export const staffSettings = {
  ...commonSettings,
  // Only what reads or writes encrypted values needs the keys.
  SECRETS_KEYS: secretsKeys.optional(),
  // What goes wrong is told by the command itself, in one line.
  LOG_LEVEL: commonSettings.LOG_LEVEL.default('silent'),
};

export type StaffSettings = Readonly<z.output<z.ZodObject<typeof staffSettings>>>;
