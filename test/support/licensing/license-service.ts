import { randomBytes } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { z } from 'zod';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import type { Clock } from '#kernel/time/clock';
import {
  LicenseServiceModule,
  licenseServiceSettings,
  LicenseValidationModule,
  refuseHalfKeygen,
} from '#libs/licensing';
import { ClockModule } from '#platform/clock.module';
import { readEnv } from '#platform/config/read-env';
import { DatabaseModule } from '#platform/database/database.module';
import { KeyRing } from '#platform/key-ring';
import { createTestDatabase, type TestDatabase } from '../test-database.js';

const schema = z.object(licenseServiceSettings).superRefine(refuseHalfKeygen);

export interface RunningLocalLicenseService {
  readonly app: INestApplicationContext;
  readonly database: TestDatabase;
  readonly close: () => Promise<void>;
}

/** Starts the modules of the local license service without HTTP, with a new database unless one is given. */
export async function startLocalLicenseService(
  options: { clock?: Clock; database?: TestDatabase; ring?: KeyRing; settings?: Record<string, string> } = {},
): Promise<RunningLocalLicenseService> {
  const database = options.database ?? (await createTestDatabase());
  const app = await NestFactory.createApplicationContext(
    {
      module: class LocalLicenseServiceTest {},
      imports: [
        ClockModule.forRoot(options.clock),
        DatabaseModule.forRoot({ url: database.url, poolSize: 10, applicationName: 'test', entities, migrations }),
        LicenseServiceModule.forRoot(readEnv(schema, options.settings ?? {})),
        LicenseValidationModule.forRoot(options.ring ?? newKeyRing()),
      ],
    },
    { logger: false, abortOnError: false },
  );
  return {
    app,
    database,
    close: async () => {
      await app.close();
      if (!options.database) await database.drop();
    },
  };
}

export function newKeyRing(): KeyRing {
  return KeyRing.parse(newSecretsKeys());
}

/** A value for SECRETS_KEYS. */
export function newSecretsKeys(id = 'k1'): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}
