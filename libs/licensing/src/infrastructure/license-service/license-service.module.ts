import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { KeyRing } from '#platform/key-ring';
import { LicenseRecordImport } from '../../application/import/ports/license-record-import.js';
import { KeptKeys } from '../../application/ports/kept-keys.js';
import { LicenseService } from '../../application/ports/license-service.js';
import { Editions } from '../../domain/editions.js';
import { KeygenConnection } from './keygen/keygen-connection.js';
import { KeygenLicenseRecordImport } from './keygen/keygen-license-record-import.js';
import { KeygenLicenseService } from './keygen/keygen-license-service.js';
import { keygenOptions, type LicenseServiceSettings } from './license-service-settings.js';
import { LicenseValidation } from './local/license-validation.js';
import { LocalLicenseRecordImport } from './local/local-license-record-import.js';
import { LocalLicenseService } from './local/local-license-service.js';
import { SigningKeys } from './local/signing-keys.js';
import { SqlKeptKeys } from './sql-kept-keys.js';
import { StateDocuments } from './local/state-document.js';

/** Binds the license service selected by the settings, and the editions that can be sold. */
@Module({})
export class LicenseServiceModule {
  static forRoot(settings: LicenseServiceSettings & { readonly SECRETS_KEYS?: KeyRing }): DynamicModule {
    const keygen = keygenOptions(settings);
    const service: Provider = keygen
      ? {
          provide: LicenseService,
          useFactory: () => new KeygenLicenseService(new KeygenConnection(keygen), keygen.policies),
        }
      : { provide: LicenseService, useClass: LocalLicenseService };
    const records: Provider = {
      provide: LicenseRecordImport,
      useClass: keygen ? KeygenLicenseRecordImport : LocalLicenseRecordImport,
    };
    const keys: Provider = {
      provide: KeptKeys,
      inject: [TypeOrmTransactions],
      useFactory: (transactions: TypeOrmTransactions) => new SqlKeptKeys(transactions, settings.SECRETS_KEYS ?? null),
    };
    const editions = new Editions(settings.EDITIONS.map(({ edition }) => edition));
    return {
      module: LicenseServiceModule,
      global: true,
      providers: [service, records, keys, { provide: Editions, useValue: editions }],
      exports: [LicenseService, LicenseRecordImport, KeptKeys, Editions],
    };
  }
}

/** Validates keys for running panels. Only with the local license service. */
@Module({})
export class LicenseValidationModule {
  static forRoot(keyRing: KeyRing): DynamicModule {
    return {
      module: LicenseValidationModule,
      providers: [{ provide: KeyRing, useValue: keyRing }, SigningKeys, StateDocuments, LicenseValidation],
      exports: [LicenseValidation, SigningKeys],
    };
  }
}
