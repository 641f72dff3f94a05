import { z } from 'zod';
import { BillingModule } from '#libs/billing';
import { CustomersModule } from '#libs/customers';
import {
  LicenseServiceModule,
  licenseServiceSettings,
  LicenseValidationModule,
  LicensingModule,
  refuseHalfKeygen,
} from '#libs/licensing';
import { PartnersModule } from '#libs/partners';
import { TokensModule } from '#libs/tokens';
import { readEnv } from '#platform/config/read-env';
import { staffSettings } from '../cli.config.js';
import type { Side } from './side.js';

const schema = z.object({ ...staffSettings, ...licenseServiceSettings }).superRefine(refuseHalfKeygen);

export type PartnerSideSettings = Readonly<z.output<typeof schema>>;

/**
 * Partners, tokens, contracts, licenses and statements. `partners move` updates what every context stores per ancestor,
 * so all contexts are loaded.
 */
export const partnerSide: Side<PartnerSideSettings> = {
  settings: (env) => readEnv(schema, env),
  modules: (settings) => [
    PartnersModule,
    TokensModule,
    CustomersModule,
    BillingModule,
    LicenseServiceModule.forRoot(settings),
    LicensingModule,
    ...(settings.SECRETS_KEYS ? [LicenseValidationModule.forRoot(settings.SECRETS_KEYS)] : []),
  ],
};
