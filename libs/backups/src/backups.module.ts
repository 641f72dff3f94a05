import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { Registry } from 'prom-client';
import { BackupAlarms } from './application/backup-alarms.js';
import { BackupJournal } from './application/backup-journal.js';
import { Backups } from './application/backups.js';
import { DumpRunner } from './application/backing-up/dump-runner.js';
import { ProofRunner } from './application/backing-up/proof-runner.js';
import { Retention } from './application/backing-up/retention.js';
import { ScheduledBackups } from './application/backing-up/scheduled-backups.js';
import { TrialServers } from './application/backing-up/trial-servers.js';
import { OrganisationBackupKeys } from './application/organisation-backup-keys.js';
import { DATABASE_METHODS, DatabaseServices } from './application/database-services.js';
import type { DatabaseMethod } from './application/methods/database-method.js';
import { MongodbMethod } from './application/methods/mongodb/mongodb-method.js';
import { MysqlMethod } from './application/methods/mysql/mysql-method.js';
import { MARIADB_TOOLS, MYSQL_TOOLS } from './application/methods/mysql/mysql-tools.js';
import { PostgresqlMethod } from './application/methods/postgresql/postgresql-method.js';
import { QdrantMethod } from './application/methods/qdrant/qdrant-method.js';
import { RedisMethod } from './application/methods/redis/redis-method.js';
import { BinaryLog } from './application/pitr/binlog/binary-log.js';
import { MARIADB_BINLOG, MYSQL_BINLOG } from './application/pitr/binlog/binlog-tools.js';
import { BaseCopies } from './application/pitr/base-copies.js';
import { BaseProofs } from './application/pitr/base-proofs.js';
import { DATABASE_LOGS, type DatabaseLog } from './application/pitr/database-log.js';
import { DatabaseLogs } from './application/pitr/database-logs.js';
import { LogChecks } from './application/pitr/log-checks.js';
import { LogKeeping } from './application/pitr/log-keeping.js';
import { LogRound } from './application/pitr/log-round.js';
import { LogShipping } from './application/pitr/log-shipping.js';
import { MomentRestores } from './application/pitr/moment-restores.js';
import { PointInTime } from './application/pitr/point-in-time.js';
import { ArchivedLog } from './application/pitr/postgresql/archived-log.js';
import { PostgresqlLog } from './application/pitr/postgresql/postgresql-log.js';
import { PostgresqlRecovery } from './application/pitr/postgresql/postgresql-recovery.js';
import { RecoveryEvents } from './application/pitr/recovery-events.js';
import { StoredLog } from './application/pitr/stored-log.js';
import { Policies } from './application/policies.js';
import { AgreedTime } from './application/ports/agreed-time.js';
import { BackedUpServices } from './application/ports/backed-up-services.js';
import { StorageFigures } from './application/ports/storage-figures.js';
import { BackupHistories } from './application/ports/backup-histories.js';
import { BackupRepository } from './application/ports/backup-repository.js';
import { PolicyRepository } from './application/ports/policy-repository.js';
import { RestoreRepository } from './application/ports/restore-repository.js';
import { Schedules } from './application/ports/schedules.js';
import { WalRepository } from './application/ports/wal-repository.js';
import { DatabasePrograms } from './application/programs/database-programs.js';
import { RestoreJournal } from './application/restoring/restore-journal.js';
import { RestoreRunner } from './application/restoring/restore-runner.js';
import { Restores } from './application/restoring/restores.js';
import { BackupSettings } from './application/settings.js';
import { StoredBackupChecks } from './application/stored-backup-checks.js';
import { StoredCopies } from './application/stored-copies.js';
import { BackupFigures } from './infrastructure/backup-figures.js';
import { PrometheusStorageFigures } from './infrastructure/prometheus-storage-figures.js';
import { CronerSchedules } from './infrastructure/croner-schedules.js';
import { SqlAgreedTime } from './infrastructure/sql/sql-agreed-time.js';
import { SqlBackedUpServices } from './infrastructure/sql/sql-backed-up-services.js';
import { SqlBackupHistories } from './infrastructure/sql/sql-backup-histories.js';
import { SqlBackupRepository } from './infrastructure/sql/sql-backup-repository.js';
import { SqlPolicyRepository } from './infrastructure/sql/sql-policy-repository.js';
import { SqlRestoreRepository } from './infrastructure/sql/sql-restore-repository.js';
import { SqlWalRepository } from './infrastructure/sql/sql-wal-repository.js';

export interface BackupsOptions {
  readonly settings: BackupSettings;
  /** `BackupStorageModule`, configured. */
  readonly storage: DynamicModule;
  /** The services module, configured: backups are made in the containers of services. */
  readonly services: DynamicModule;
  /** Registry for metrics; left out in a process that exposes none. */
  readonly registry?: Registry;
}

const adapters: Provider[] = [
  { provide: AgreedTime, useClass: SqlAgreedTime },
  { provide: BackedUpServices, useClass: SqlBackedUpServices },
  { provide: BackupHistories, useClass: SqlBackupHistories },
  { provide: BackupRepository, useClass: SqlBackupRepository },
  { provide: PolicyRepository, useClass: SqlPolicyRepository },
  { provide: RestoreRepository, useClass: SqlRestoreRepository },
  { provide: WalRepository, useClass: SqlWalRepository },
  { provide: Schedules, useClass: CronerSchedules },
];

const parts: Provider[] = [
  BackupJournal,
  DatabasePrograms,
  DatabaseServices,
  RestoreJournal,
  StoredCopies,
  TrialServers,
  BaseCopies,
  BaseProofs,
  DatabaseLogs,
  LogChecks,
  LogKeeping,
  LogShipping,
  RecoveryEvents,
  StoredLog,
];
const services = [
  BackupAlarms,
  StoredBackupChecks,
  LogRound,
  MomentRestores,
  OrganisationBackupKeys,
  PointInTime,
  Backups,
  DumpRunner,
  Policies,
  ProofRunner,
  RestoreRunner,
  Restores,
  Retention,
  ScheduledBackups,
];

/** Needs the modules of the database and of the panel's authentication, which are global. */
@Module({})
export class BackupsModule {
  static forRoot({ settings, storage, services: servicesModule, registry }: BackupsOptions): DynamicModule {
    return {
      module: BackupsModule,
      imports: [servicesModule, storage],
      providers: [
        { provide: BackupSettings, useValue: settings },
        {
          provide: BackupFigures,
          inject: [BackupRepository],
          useFactory: (backups: BackupRepository) => new BackupFigures(registry ?? new Registry(), backups),
        },
        { provide: DATABASE_METHODS, inject: [DatabasePrograms], useFactory: methodsOf },
        { provide: DATABASE_LOGS, inject: [DatabasePrograms], useFactory: logsOf },
        { provide: StorageFigures, useValue: new PrometheusStorageFigures(registry ?? new Registry()) },
        ...adapters,
        ...parts,
        ...services,
      ],
      exports: [...services, storage],
    };
  }
}

function methodsOf(programs: DatabasePrograms): readonly DatabaseMethod[] {
  return [
    new PostgresqlMethod(programs),
    new MysqlMethod(programs, MARIADB_TOOLS),
    new MysqlMethod(programs, MYSQL_TOOLS),
    new MongodbMethod(programs),
    new RedisMethod(programs),
    new QdrantMethod(programs),
  ];
}

function logsOf(programs: DatabasePrograms): readonly DatabaseLog[] {
  return [
    new ArchivedLog(new PostgresqlLog(programs), new PostgresqlRecovery(programs)),
    new BinaryLog(programs, MARIADB_BINLOG),
    new BinaryLog(programs, MYSQL_BINLOG),
  ];
}
