import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { Registry } from 'prom-client';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import { SEALED_KINDS } from '#database/sealed-kinds';
import { AnalysisModule, aiProviderOf, analysisSettingsOf } from '#libs/analysis';
import { BackupsModule, backupSettingsOf, BackupStorageModule } from '#libs/backups';
import { BillingModule } from '#libs/billing';
import { CustomersModule } from '#libs/customers';
import { LicenseServiceModule, LicensingModule } from '#libs/licensing';
import { PanelAuthModule, unattendedPanelAuth } from '#libs/panel-auth';
import { ServicesModule, servicesOptionsOf } from '#libs/services';
import { ClockModule } from '#platform/clock.module';
import { DatabaseModule } from '#platform/database/database.module';
import { ReadinessModule } from '#platform/health/health.module';
import { IdempotencyModule } from '#platform/idempotency/idempotency.module';
import { QueueModule } from '#platform/queue/queue.module';
import { AnalysisProcessor } from './analysis.processor.js';
import { BackupLogsWatch } from './watches/backup-logs-watch.js';
import { BackupStoreWatch } from './watches/backup-store-watch.js';
import { BackupsWatch } from './watches/backups-watch.js';
import { DeployProcessor } from './deploy.processor.js';
import { CommitStatusWatch } from './watches/commit-status-watch.js';
import { HousekeepingProcessor } from './housekeeping.processor.js';
import { IngressWatch } from './watches/ingress-watch.js';
import { LICENSING_QUEUE, LicensingProcessor } from './licensing.processor.js';
import { MonitoringWatch } from './watches/monitoring-watch.js';
import { PreviewsWatch } from './watches/previews-watch.js';
import { ServicesWatch } from './watches/services-watch.js';
import { USAGE_QUEUE, UsageProcessor } from './usage.processor.js';
import type { WorkerSettings } from './worker.config.js';

@Module({})
export class WorkerModule {
  /** @param registry receives the worker's metrics */
  static forRoot(settings: WorkerSettings, registry: Registry = new Registry()): DynamicModule {
    const keyRing = settings.SECRETS_KEYS ?? null;
    const services = ServicesModule.forRoot({ ...servicesOptionsOf(settings, keyRing), sendsJobs: true });
    return {
      module: WorkerModule,
      imports: [
        ClockModule.forRoot(),
        DatabaseModule.forRoot({
          url: settings.DATABASE_URL,
          poolSize: settings.DATABASE_POOL_SIZE,
          applicationName: 'tenantry-worker',
          entities,
          migrations,
          retriesConnecting: true,
          sealed: { ring: settings.SECRETS_KEYS, kinds: SEALED_KINDS },
        }),
        QueueModule.forRoot({ databaseUrl: settings.DATABASE_URL, redisUrl: settings.REDIS_URL, poolSize: 10 }),
        ReadinessModule,
        IdempotencyModule,
        BullModule.registerQueue({ name: LICENSING_QUEUE }, { name: USAGE_QUEUE }),
        CustomersModule,
        BillingModule,
        LicenseServiceModule.forRoot(settings),
        LicensingModule,
        PanelAuthModule.forRoot({ settings: unattendedPanelAuth(settings), oidc: null, keyRing }),
        services,
        AnalysisModule.forRoot({
          settings: analysisSettingsOf(settings),
          provider: aiProviderOf(settings),
          services,
          registry,
        }),
        BackupsModule.forRoot({
          settings: backupSettingsOf(settings),
          storage: BackupStorageModule.forRoot({ env: settings, keyRing, databaseUrl: settings.DATABASE_URL }),
          services,
          registry,
        }),
      ],
      providers: [
        HousekeepingProcessor,
        LicensingProcessor,
        UsageProcessor,
        DeployProcessor,
        AnalysisProcessor,
        ServicesWatch,
        PreviewsWatch,
        CommitStatusWatch,
        MonitoringWatch,
        IngressWatch,
        BackupsWatch,
        BackupLogsWatch,
        BackupStoreWatch,
      ],
    };
  }
}
