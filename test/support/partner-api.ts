import { Writable } from 'node:stream';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { Registry } from 'prom-client';
import type { Clock } from '#kernel/time/clock';
import { readEnv } from '#platform/config/read-env';
import { createLogger, NestPinoLogger } from '#platform/logging';
import { OpenApiSource } from '#platform/openapi/openapi-source';
import { createPartnerApi, partnerHttpAdapter, preparePartnerApi } from '../../apps/partner-api/src/create-app.js';
import { partnerApiSettings, type PartnerApiSettings } from '../../apps/partner-api/src/partner-api.config.js';
import { PartnerApiModule } from '../../apps/partner-api/src/partner-api.module.js';
import { HttpClient } from './http/http-client.js';
import { contractCheckOf } from './http/contract-check.js';
import { SECRETS_KEY } from './secrets-keys.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

export interface RunningPartnerApi {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly database: TestDatabase;
  /** Everything that was logged so far, to check that it contains no secrets. */
  logs(): string;
  /** A client that sends `token` and checks every response against the OpenAPI document. */
  as(token: string | null): HttpClient;
  close(): Promise<void>;
}

/**
 * Starts the partner API on a free port, with a new database unless one is given (for a second instance over the same
 * database). Rate limits are too high to matter unless a test sets them. `replace` overrides providers.
 */
export async function startPartnerApi(
  options: {
    clock?: Clock;
    database?: TestDatabase;
    settings?: Record<string, string>;
    replace?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  } = {},
): Promise<RunningPartnerApi> {
  const database = options.database ?? (await createTestDatabase());
  const settings = readEnv(partnerApiSettings, {
    DATABASE_URL: database.url,
    PC_RATE_RPS: '1000000',
    PC_RATE_BURST: '1000000',
    PC_AUTHFAIL_RPS: '1000000',
    SECRETS_KEYS: SECRETS_KEY,
    LOG_LEVEL: 'debug',
    ...options.settings,
  });
  const log = new Recording();
  const surroundings = {
    logger: createLogger('partner-api', settings.LOG_LEVEL, log),
    registry: new Registry(),
    clock: options.clock,
  };
  const app = options.replace
    ? await createWithReplacements(settings, surroundings, options.replace)
    : await createPartnerApi(settings, surroundings);
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const check = contractCheckOf(`partner ${settings.LICENSE_SERVICE}`, () => app.get(OpenApiSource).document());
  return {
    app,
    url,
    database,
    logs: () => log.text,
    as: (token) => new HttpClient(url, token, check),
    close: async () => {
      await app.close();
      if (!options.database) await database.drop();
    },
  };
}

async function createWithReplacements(
  settings: PartnerApiSettings,
  { logger, registry, clock }: Parameters<typeof createPartnerApi>[1],
  replace: (builder: TestingModuleBuilder) => TestingModuleBuilder,
): Promise<NestFastifyApplication> {
  const imports = [PartnerApiModule.forRoot(settings, logger, clock)];
  const module = await replace(Test.createTestingModule({ imports })).setLogger(new NestPinoLogger(logger)).compile();
  const app = module.createNestApplication<NestFastifyApplication>(partnerHttpAdapter(settings), { bodyParser: false });
  return preparePartnerApi(app, settings, { logger, registry });
}

class Recording extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}
