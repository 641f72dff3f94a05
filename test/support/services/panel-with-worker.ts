import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { readEnv } from '#platform/config/read-env';
import { createLogger, NestPinoLogger } from '#platform/logging';
import { workerSettings } from '../../../apps/worker/src/worker.config.js';
import { WorkerModule } from '../../../apps/worker/src/worker.module.js';
import { PATIENCE } from '../../../tools/lib/tests/patience.mjs';
import { anAdminKey } from '../builders/a-panel-user.js';
import { engineHost } from '../docker/engine-http.js';
import { freePort } from '../free-port.js';
import type { Answer, HttpClient } from '../http/http-client.js';
import { Recording, SECRETS_KEY, startPanelApi, type RunningPanelApi } from '../panel-api.js';
import { createTestDatabase } from '../test-database.js';
import { lookAgain } from '../look-again.js';
import { startPanelProcess, type PanelProcess } from './panel-process.js';

export interface PanelWithWorker {
  readonly api: RunningPanelApi;
  /** A client with the key of an administrator. */
  readonly admin: HttpClient;
  startWorker(): Promise<INestApplicationContext>;
  /** Starts a worker as a separate process, which can be killed. */
  startWorkerProcess(changed?: Readonly<Record<string, string>>): Promise<PanelProcess>;
  /** Stops the workers that run in this process. */
  stopWorkers(): Promise<void>;
  /** The logs of the API and of the workers in this process so far. */
  logs(): string;
  /** Polls until the service has one of the statuses. `gone` means that it no longer exists. */
  until(serviceId: string, ...statuses: string[]): Promise<Answer>;
  /** Polls until the newest deployment of the service has ended. @returns the deployment */
  untilOver(serviceId: string): Promise<any>;
  close(): Promise<void>;
}

/** Starts the panel API. Its workers use one engine with a separate instance label. */
export async function startPanelWithWorker(
  given: {
    dockerHost?: string;
    instance?: string;
    registries?: readonly string[];
    gateSeconds?: number;
    settings?: Record<string, string>;
    /** Time limit of `until` and `untilOver`. Defaults to 25 s. */
    timeoutMs?: number;
  } = {},
): Promise<PanelWithWorker> {
  const timeoutMs = (given.timeoutMs ?? 25_000) * PATIENCE;
  const database = await createTestDatabase();
  const settings = {
    DATABASE_URL: database.url,
    SECRETS_KEYS: SECRETS_KEY,
    DOCKER_HOST: given.dockerHost ?? engineHost(),
    PANEL_INSTANCE: given.instance ?? `e2e-${process.pid}`,
    SERVICES_REGISTRIES: (given.registries ?? []).join(','),
    HEALTH_GATE_SECONDS: String(given.gateSeconds ?? 0.3),
    LOG_LEVEL: 'silent',
    ...given.settings,
  };
  const api = await startPanelApi({ database, settings: { ...settings, LOG_LEVEL: 'debug' } });
  const admin = api.as(await anAdminKey(api.app));
  const workers: INestApplicationContext[] = [];
  const workerLog = new Recording();
  const poll = async <T>(ask: () => Promise<T>, wanted: (answer: T) => boolean, show: (answer: T) => string) => {
    const since = Date.now();
    for (;;) {
      const answer = await ask();
      if (wanted(answer)) return answer;
      if (Date.now() - since > timeoutMs)
        throw new Error(`not as wanted within ${timeoutMs / 1000} s; at last: ${show(answer)}`);
      await lookAgain(Date.now() - since);
    }
  };
  return {
    api,
    admin,
    startWorker: async () => {
      const module = WorkerModule.forRoot(readEnv(workerSettings, settings));
      const logger = new NestPinoLogger(createLogger('worker', 'debug', workerLog));
      const worker = await NestFactory.createApplicationContext(module, { logger });
      workers.push(worker);
      return worker;
    },
    startWorkerProcess: async (changed = {}) => {
      const port = String(await freePort());
      const env = { ...settings, ...changed, LOG_LEVEL: 'warn', WORKER_METRICS_PORT: port };
      return startPanelProcess('worker', env, `http://127.0.0.1:${port}/readyz`);
    },
    stopWorkers: async () => {
      await Promise.all(workers.splice(0).map((worker) => worker.close()));
    },
    logs: () => api.logs() + workerLog.text,
    until: (id, ...statuses) =>
      poll(
        () => admin.get(`/api/v1/services/${id}`),
        ({ status, body }) => statuses.includes(status === 404 ? 'gone' : body.status),
        ({ text }) => text,
      ),
    untilOver: (id) =>
      poll(
        async () => (await admin.get(`/api/v1/services/${id}/deployments`)).body.data[0],
        ({ finishedAt }) => finishedAt !== null,
        (deployment) => JSON.stringify(deployment),
      ),
    close: async () => {
      const left: { id: string }[] = (await admin.get('/api/v1/services?pageSize=100')).body.data;
      for (const { id } of left) await admin.delete(`/api/v1/services/${id}`);
      const gone = () => admin.get('/api/v1/services');
      if (workers.length > 0)
        await poll(
          gone,
          ({ body }) => body.pagination.total === 0,
          ({ text }) => text,
        );
      await Promise.all(workers.map((worker) => worker.close()));
      await api.close();
      await database.drop();
    },
  };
}
