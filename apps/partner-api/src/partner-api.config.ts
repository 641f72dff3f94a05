import { z } from 'zod';
import { licenseServiceSettings, refuseHalfKeygen } from '#libs/licensing';
import { commonSettings } from '#platform/config/common-settings';
import { secretsKeys } from '#platform/config/secrets-keys';
import { baseUrl, port, positiveNumber, trustedProxies } from '#platform/config/setting-types';

const settings = z.object({
  ...commonSettings,
  ...licenseServiceSettings,
  SECRETS_KEYS: secretsKeys.optional(),
  PARTNER_API_PORT: port(3000),
  PARTNER_API_BASE_URL: baseUrl('http://127.0.0.1:3000'),
  PARTNER_METRICS_PORT: port(9464),
  TRUSTED_PROXIES: trustedProxies,
  PC_RATE_RPS: positiveNumber(10),
  PC_RATE_BURST: positiveNumber(30),
  PC_AUTHFAIL_RPS: positiveNumber(1),
});

export const partnerApiSettings = settings.superRefine(refuseHalfKeygen).superRefine((given, context) => {
  // The local license service signs states with keys that are sealed by this ring.
  if (given.LICENSE_SERVICE !== 'local' || given.SECRETS_KEYS) return;
  context.addIssue({ code: 'custom', path: ['SECRETS_KEYS'], message: 'is required' });
});

export type PartnerApiSettings = Readonly<z.output<typeof partnerApiSettings>>;
