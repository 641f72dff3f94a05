import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import type { Logger } from 'pino';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import { SEALED_KINDS } from '#database/sealed-kinds';
import type { Clock } from '#kernel/time/clock';
import { AnalysisModule, aiProviderOf, analysisSettingsOf } from '#libs/analysis';
import { AutomationModule } from '#libs/automation';
import { BackupsModule, BackupStorageModule, backupSettingsOf } from '#libs/backups';
import { oidcOf, panelAuthOf, PanelAuthModule } from '#libs/panel-auth';
import { ServicesModule, servicesOptionsOf } from '#libs/services';
import { ClockModule } from '#platform/clock.module';
import { DatabaseModule } from '#platform/database/database.module';
import { HealthModule } from '#platform/health/health.module';
import { HttpModule } from '#platform/http/http.module';
import { DtoValidationPipe } from '#platform/http/validation/dto-validation.pipe';
import { LimitsModule, limitStorage } from '#platform/limits/limits.module';
import { OpenApiSource } from '#platform/openapi/openapi-source';
import { QueueModule } from '#platform/queue/queue.module';
import { AnalysisRequests } from './analysis/analysis-requests.js';
import { AnalyzeController } from './analysis/analyze.controller.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { AuditController } from './audit/audit.controller.js';
import { AuthUrls } from './auth/auth-urls.js';
import { LoginController } from './auth/login.controller.js';
import { MeController } from './auth/me.controller.js';
import { OidcController } from './auth/oidc.controller.js';
import { PermissionsController } from './auth/permissions.controller.js';
import { SessionSweeper } from './auth/session-sweeper.js';
import { DomainRequests } from './domains/domain-requests.js';
import { DomainsController } from './domains/domains.controller.js';
import { BackupRequests } from './backups/backup-requests.js';
import { BackupsController, ServiceBackupsController } from './backups/backups.controller.js';
import { RestoreRequests } from './backups/restore-requests.js';
import { RestoresController, ServiceRestoresController } from './backups/restores.controller.js';
import { ServiceRemoval } from './backups/service-removal.js';
import { CallerGuard } from './http/caller.guard.js';
import { PanelCookies } from './http/cookies.js';
import {
  PanelKeyGuard,
  PanelKeyStrategy,
  PanelSessionGuard,
  PanelSessionStrategy,
} from './http/credential.strategies.js';
import { PanelLimits, PanelRates } from './http/panel-limits.js';
import { PANEL_ORIGIN, PermissionGuard } from './http/permission.guard.js';
import { RateGuard } from './http/rate.guard.js';
import { PanelErrorFilter } from './http/panel-error.filter.js';
import { MCP_CONTROLLERS, mcpProviders } from './mcp/mcp-providers.js';
import { MonitoringController } from './monitoring/monitoring.controller.js';
import { MonitoringRequests } from './monitoring/monitoring-requests.js';
import { HomeController, OpenApiController } from './openapi/openapi.controller.js';
import type { PanelApiSettings } from './panel-api.config.js';
import { MembersController } from './organisations/members.controller.js';
import { OrganisationsController } from './organisations/organisations.controller.js';
import { OrganisationRequests } from './organisations/organisation-requests.js';
import { BackupKeyController } from './organisations/backup-key.controller.js';
import { QuotaController } from './organisations/quota.controller.js';
import { PortalBackupKeyController } from './portal/portal-backup-key.controller.js';
import { PortalActionsController, PortalDeploymentsController } from './portal/portal-actions.controller.js';
import { PortalChangesController } from './portal/portal-changes.controller.js';
import { PortalDomainsController } from './portal/portal-domains.controller.js';
import { PortalAnalysisController } from './portal/portal-analysis.controller.js';
import { PortalMonitoringController } from './portal/portal-monitoring.controller.js';
import { PortalServicesController } from './portal/portal-services.controller.js';
import { PortalMembersController } from './portal/portal-members.controller.js';
import { PortalUsageController } from './portal/portal-usage.controller.js';
import { REALTIME_CONTROLLERS, realtimeProviders } from './realtime/realtime-providers.js';
import { CredentialRequests } from './credentials/credential-requests.js';
import { CredentialsController } from './credentials/credentials.controller.js';
import { PortalCredentialsController } from './portal/portal-credentials.controller.js';
import { PortalBackupsController, PortalServiceBackupsController } from './portal/portal-backups.controller.js';
import { PortalRestoresController, PortalServiceRestoresController } from './portal/portal-restores.controller.js';
import { PortalTemplatesController } from './portal/portal-templates.controller.js';
import { TemplateRequests } from './templates/template-requests.js';
import { TemplatesController } from './templates/templates.controller.js';
import { CallerScope } from './services/caller-scope.js';
import { DeploymentsController } from './services/deployments.controller.js';
import { ServiceActionsController } from './services/service-actions.controller.js';
import { ChangeRequests } from './services/change-requests.js';
import { ServiceChangesController } from './services/service-changes.controller.js';
import { GitRequests } from './git/git-requests.js';
import { GitSettingsController } from './git/git-settings.controller.js';
import { PortalGitSettingsController } from './git/portal-git-settings.controller.js';
import { GitServicesController } from './git/git-services.controller.js';
import { HOOK_BASE, hookBase } from './git/hook-urls.js';
import { PortalGitServicesController } from './git/portal-git-services.controller.js';
import { PushHooksController } from './git/push-hooks.controller.js';
import { ServiceRequests } from './services/service-requests.js';
import { ServicesController } from './services/services.controller.js';
import { SecretsController } from './secrets/secrets.controller.js';
import { VersionController } from './version/version.controller.js';

@Module({})
export class PanelApiModule {
  static forRoot(settings: PanelApiSettings, logger: Logger, clock?: Clock): DynamicModule {
    const services = ServicesModule.forRoot({
      ...servicesOptionsOf(settings, settings.SECRETS_KEYS),
      sendsJobs: true,
    });
    return {
      module: PanelApiModule,
      imports: [
        ClockModule.forRoot(clock),
        DatabaseModule.forRoot({
          url: settings.DATABASE_URL,
          poolSize: settings.DATABASE_POOL_SIZE,
          applicationName: 'tenantry-panel-api',
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
        PanelAuthModule.forRoot({
          settings: panelAuthOf(settings),
          oidc: oidcOf(settings),
          keyRing: settings.SECRETS_KEYS,
        }),
        services,
        AnalysisModule.forRoot({
          settings: analysisSettingsOf(settings),
          provider: aiProviderOf(settings),
          services,
        }),
        BackupsModule.forRoot({
          settings: backupSettingsOf(settings),
          storage: BackupStorageModule.forRoot({
            env: settings,
            keyRing: settings.SECRETS_KEYS,
            databaseUrl: settings.DATABASE_URL,
          }),
          services,
        }),
        AutomationModule.forRoot(settings.SECRETS_KEYS),
      ],
      controllers: [
        OidcController,
        ...(settings.LEGACY_LOGIN ? [LoginController] : []),
        MeController,
        PermissionsController,
        ApiKeysController,
        SecretsController,
        AuditController,
        ServicesController,
        TemplatesController,
        CredentialsController,
        ServiceBackupsController,
        BackupsController,
        ServiceRestoresController,
        RestoresController,
        ServiceActionsController,
        ServiceChangesController,
        DeploymentsController,
        GitServicesController,
        PortalGitServicesController,
        GitSettingsController,
        PortalGitSettingsController,
        PushHooksController,
        OrganisationsController,
        MembersController,
        BackupKeyController,
        QuotaController,
        DomainsController,
        PortalDomainsController,
        PortalMonitoringController,
        PortalServicesController,
        PortalTemplatesController,
        PortalCredentialsController,
        PortalServiceBackupsController,
        PortalBackupsController,
        PortalServiceRestoresController,
        PortalRestoresController,
        PortalActionsController,
        PortalChangesController,
        PortalDeploymentsController,
        PortalBackupKeyController,
        PortalUsageController,
        PortalMembersController,
        MonitoringController,
        AnalyzeController,
        PortalAnalysisController,
        VersionController,
        OpenApiController,
        HomeController,
        ...REALTIME_CONTROLLERS,
        ...MCP_CONTROLLERS,
      ],
      providers: [
        OpenApiSource,
        PanelCookies,
        PanelLimits,
        PanelKeyStrategy,
        PanelKeyGuard,
        PanelSessionStrategy,
        PanelSessionGuard,
        SessionSweeper,
        CallerScope,
        OrganisationRequests,
        ChangeRequests,
        ServiceRequests,
        TemplateRequests,
        CredentialRequests,
        BackupRequests,
        RestoreRequests,
        ServiceRemoval,
        GitRequests,
        { provide: HOOK_BASE, useValue: hookBase(settings.PANEL_URL) },
        MonitoringRequests,
        DomainRequests,
        AnalysisRequests,
        ...realtimeProviders(originsOf(settings)),
        ...mcpProviders(settings.PANEL_URL, originsOf(settings)),
        { provide: PanelRates, useValue: ratesOf(settings) },
        { provide: AuthUrls, useValue: authUrlsOf(settings) },
        { provide: PANEL_ORIGIN, useValue: new URL(settings.PANEL_URL).origin },
        // The order of the checks: 401, 429, 403, then the format of the request.
        { provide: APP_GUARD, useClass: CallerGuard },
        { provide: APP_GUARD, useClass: RateGuard },
        { provide: APP_GUARD, useClass: PermissionGuard },
        { provide: APP_PIPE, useClass: DtoValidationPipe },
        { provide: APP_FILTER, useFactory: () => new PanelErrorFilter(logger) },
      ],
    };
  }
}

/** The origins whose pages may call the panel from a browser. */
function originsOf({ PANEL_URL, WS_ALLOWED_ORIGINS }: PanelApiSettings): readonly string[] {
  return [new URL(PANEL_URL).origin, ...WS_ALLOWED_ORIGINS];
}

function ratesOf(settings: PanelApiSettings): PanelRates {
  return {
    session: settings.PANEL_SESSION_RPM,
    anonymous: settings.PANEL_ANONYMOUS_RPM,
    failure: settings.PANEL_AUTHFAIL_RPM,
    login: settings.PANEL_LOGIN_RPM,
  };
}

function authUrlsOf({ PANEL_URL, OIDC_REDIRECT_URI, FRONTEND_CALLBACK_URL }: PanelApiSettings): AuthUrls {
  const api = `${PANEL_URL}/api/v1/auth/oidc`;
  return {
    login: `${api}/login`,
    logout: `${api}/logout`,
    callback: OIDC_REDIRECT_URI ?? null,
    afterSignIn: FRONTEND_CALLBACK_URL ?? `${PANEL_URL}/`,
    afterLogout: `${PANEL_URL}/`,
  };
}
