import { Module, type DynamicModule } from '@nestjs/common';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import type { Clock } from '#kernel/clock';
import { BillingModule } from '#libs/billing';
import { CustomersModule } from '#libs/customers';
import { LicenseServiceModule, LicenseValidationModule, LicensingModule } from '#libs/licensing';
import { PanelAuthModule, unattendedPanelAuth } from '#libs/panel-auth';
import { PartnersModule } from '#libs/partners';
import { ServicesModule, servicesOptionsOf } from '#libs/services';
import { TokensModule } from '#libs/tokens';
import { ClockModule } from '#platform/clock.module';
import { DatabaseModule } from '#platform/database/database.module';
import type { CliSettings } from './cli.config.js';

/** The application services that staff commands call: the same that serve the APIs. */
@Module({})
export class CliModule {
  static forRoot(settings: CliSettings, clock?: Clock): DynamicModule {
    return {
      module: CliModule,
      imports: [
        ClockModule.forRoot(clock),
        DatabaseModule.forRoot({
          url: settings.DATABASE_URL,
          poolSize: 4,
          applicationName: 'tenantry-cli',
          entities,
          migrations,
        }),
        PartnersModule,
        TokensModule,
        // `partners move` takes what every context stores per ancestor along, so all of them must be here.
        CustomersModule,
        BillingModule,
        LicenseServiceModule.forRoot(settings),
        LicensingModule,
        ...(settings.SECRETS_KEYS ? [LicenseValidationModule.forRoot(settings.SECRETS_KEYS)] : []),
        PanelAuthModule.forRoot({
          settings: unattendedPanelAuth(settings),
          oidc: null,
          keyRing: settings.SECRETS_KEYS ?? null,
        }),
        ServicesModule.forRoot({ ...servicesOptionsOf(settings, settings.SECRETS_KEYS ?? null), sendsJobs: false }),
      ],
    };
  }
}
