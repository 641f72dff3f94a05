import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import type { Logger } from 'pino';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import { SEALED_KINDS } from '#database/sealed-kinds';
import type { Clock } from '#kernel/time/clock';
import { BillingModule } from '#libs/billing';
import { CustomersModule } from '#libs/customers';
import { LicenseServiceModule, LicenseValidationModule, LicensingModule } from '#libs/licensing';
import { TokensModule } from '#libs/tokens';
import { ClockModule } from '#platform/clock.module';
import { DatabaseModule } from '#platform/database/database.module';
import { HealthModule } from '#platform/health/health.module';
import { HttpModule } from '#platform/http/http.module';
import { DtoValidationPipe } from '#platform/http/validation/dto-validation.pipe';
import { IdempotencyModule } from '#platform/idempotency/idempotency.module';
import { LimitsModule, limitStorage } from '#platform/limits/limits.module';
import { OpenApiSource } from '#platform/openapi/openapi-source';
import { QueueModule } from '#platform/queue/queue.module';
import { ActivityController } from './activity/activity.controller.js';
import { StatementsController } from './billing/statements.controller.js';
import { UsageController } from './billing/usage.controller.js';
import { ContractsController } from './contracts/contracts.controller.js';
import { ContactsController } from './customers/contacts.controller.js';
import { CustomersController } from './customers/customers.controller.js';
import { NotesController } from './customers/notes.controller.js';
import { ApiTokenGuard } from './http/api-token.guard.js';
import { AUTH_FAILURE_RATE, AuthFailureThrottle } from './http/auth-failure-throttle.js';
import { BearerStrategy } from './http/bearer.strategy.js';
import { PartnerErrorFilter } from './http/partner-error.filter.js';
import { ScopeGuard } from './http/scope.guard.js';
import { TOKEN_RATE, TokenRateGuard } from './http/token-rate.guard.js';
import { LicenseServiceController } from './license-service/license-service.controller.js';
import { LicensesController } from './licenses/licenses.controller.js';
import { ReconcileOnStart } from './licenses/reconcile-on-start.js';
import { MeController } from './me/me.controller.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import type { PartnerApiSettings } from './partner-api.config.js';
import { TokensController } from './tokens/tokens.controller.js';
import { TransfersController } from './transfers/transfers.controller.js';

@Module({})
export class PartnerApiModule {
  static forRoot(settings: PartnerApiSettings, logger: Logger, clock?: Clock): DynamicModule {
    const validation = panelValidation(settings);
    return {
      module: PartnerApiModule,
      imports: [
        ClockModule.forRoot(clock),
        DatabaseModule.forRoot({
          url: settings.DATABASE_URL,
          poolSize: settings.DATABASE_POOL_SIZE,
          applicationName: 'tenantry-partner-api',
          entities,
          migrations,
          retriesConnecting: true,
          sealed: { ring: settings.SECRETS_KEYS, kinds: SEALED_KINDS },
        }),
        QueueModule.forRoot({ databaseUrl: settings.DATABASE_URL, redisUrl: settings.REDIS_URL, poolSize: 4 }),
        LimitsModule.forRoot(limitStorage(settings.REDIS_URL, logger)),
        PassportModule,
        HealthModule,
        HttpModule,
        IdempotencyModule,
        TokensModule,
        CustomersModule,
        BillingModule,
        LicenseServiceModule.forRoot(settings),
        LicensingModule,
        ...validation.imports,
      ],
      controllers: [
        MeController,
        TokensController,
        CustomersController,
        ContactsController,
        NotesController,
        ContractsController,
        LicensesController,
        TransfersController,
        ActivityController,
        UsageController,
        StatementsController,
        OpenApiController,
        ...validation.controllers,
      ],
      providers: [
        OpenApiSource,
        BearerStrategy,
        ReconcileOnStart,
        AuthFailureThrottle,
        { provide: AUTH_FAILURE_RATE, useValue: settings.PC_AUTHFAIL_RPS },
        { provide: TOKEN_RATE, useValue: { perSecond: settings.PC_RATE_RPS, burst: settings.PC_RATE_BURST } },
        // The order of the checks: 401, 429, 403, then the request's format.
        { provide: APP_GUARD, useClass: ApiTokenGuard },
        { provide: APP_GUARD, useClass: TokenRateGuard },
        { provide: APP_GUARD, useClass: ScopeGuard },
        { provide: APP_PIPE, useClass: DtoValidationPipe },
        { provide: APP_FILTER, useFactory: () => new PartnerErrorFilter(logger) },
      ],
    };
  }
}

/** Panels validate their keys here only if the license service is the local one. */
function panelValidation({
  LICENSE_SERVICE,
  SECRETS_KEYS,
}: PartnerApiSettings): Required<Pick<ModuleMetadata, 'imports' | 'controllers'>> {
  if (LICENSE_SERVICE !== 'local' || !SECRETS_KEYS) return { imports: [], controllers: [] };
  return { imports: [LicenseValidationModule.forRoot(SECRETS_KEYS)], controllers: [LicenseServiceController] };
}
