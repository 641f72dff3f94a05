import { z } from 'zod';
import { commonSettings } from '#platform/config/common-settings';
import { secretsKeys } from '#platform/config/secrets-keys';

/** Settings of every staff command. Each side (partner, panel, …) adds its own. */
export const staffSettings = {
  ...commonSettings,
  // Optional: only commands that read or write encrypted values need the keys.
  SECRETS_KEYS: secretsKeys.optional(),
  // Errors are printed by the command itself, in one line, so the log is quiet by default.
  LOG_LEVEL: commonSettings.LOG_LEVEL.default('silent'),
};

export type StaffSettings = Readonly<z.output<z.ZodObject<typeof staffSettings>>>;
