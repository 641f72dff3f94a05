import { Writable } from 'node:stream';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Registry } from 'prom-client';
import type { Clock } from '#kernel/time/clock';
import { readEnv } from '#platform/config/read-env';
import { createLogger } from '#platform/logging';
import { OpenApiSource } from '#platform/openapi/openapi-source';
import { createPanelApi } from '../../apps/panel-api/src/create-app.js';
import { panelApiSettings } from '../../apps/panel-api/src/panel-api.config.js';
import { contractCheckOf, type ContractCheck } from './http/contract-check.js';
import { HttpClient } from './http/http-client.js';
import { freePort } from './free-port.js';
import { SECRETS_KEY } from './secrets-keys.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

export { SECRETS_KEY };

export interface RunningPanelApi {
  readonly app: NestFastifyApplication;
  /** Also PANEL_URL. */
  readonly url: string;
  readonly database: TestDatabase;
  readonly check: ContractCheck;
  /** Everything that was logged so far, to check that it contains no secrets. */
  logs(): string;
  /** A client that sends `key` and checks every response against the OpenAPI document. */
  as(key: string | null): HttpClient;
  close(): Promise<void>;
}

/**
 * Starts the panel API on a free port, with a new database unless one is given. Rate limits are too high to matter
 * unless a test sets them.
 */
export async function startPanelApi(
  options: { clock?: Clock; database?: TestDatabase; port?: number; settings?: Record<string, string> } = {},
): Promise<RunningPanelApi> {
  const database = options.database ?? (await createTestDatabase());
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const settings = readEnv(panelApiSettings, {
    DATABASE_URL: database.url,
    PANEL_URL: url,
    SECRETS_KEYS: SECRETS_KEY,
    PANEL_ANONYMOUS_RPM: '1000000',
    PANEL_AUTHFAIL_RPM: '1000000',
    PANEL_LOGIN_RPM: '1000000',
    PANEL_SESSION_RPM: '1000000',
    LOG_LEVEL: 'debug',
    ...options.settings,
  });
  const log = new Recording();
  const app = await createPanelApi(settings, {
    logger: createLogger('panel-api', settings.LOG_LEVEL, log),
    registry: new Registry(),
    clock: options.clock,
  });
  await app.listen(port, '127.0.0.1');
  const check = contractCheckOf(`panel ${settings.LEGACY_LOGIN}`, () => app.get(OpenApiSource).document());
  return {
    app,
    url,
    database,
    check,
    logs: () => log.text,
    as: (key) => new HttpClient(url, key, check),
    close: async () => {
      await app.close();
      if (!options.database) await database.drop();
    },
  };
}

/** A log destination that keeps everything. */
export class Recording extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}
