import { NestFactory } from '@nestjs/core';
import { readEnv } from '#platform/config/read-env';
import { Readiness } from '#platform/health/readiness';
import { createLogger, NestPinoLogger } from '#platform/logging';
import { createRegistry, serveMetrics } from '#platform/metrics';
import { keepHeapModest } from '#platform/modest-heap';
import { runProcess } from '#platform/run-process';
import { workerSettings } from './worker.config.js';
import { WorkerModule } from './worker.module.js';

keepHeapModest();
runProcess(async (env) => {
  const settings = readEnv(workerSettings, env);
  const logger = createLogger('worker', settings.LOG_LEVEL);
  const app = await NestFactory.createApplicationContext(WorkerModule.forRoot(settings), {
    logger: new NestPinoLogger(logger),
    abortOnError: false,
  });
  app.enableShutdownHooks();
  const readiness = app.get(Readiness);
  const listen = { host: settings.LISTEN_HOST, port: settings.WORKER_METRICS_PORT };
  await serveMetrics(createRegistry('worker'), listen, {
    '/healthz': () => Promise.resolve({ status: 200, body: { status: 'ok' } }),
    '/readyz': () =>
      readiness.check().then(
        () => ({ status: 200, body: { status: 'ok' } }),
        (error: Error) => ({ status: 503, body: { error: { code: 'internal-error', message: error.message } } }),
      ),
  });
  logger.info('worker is up');
});
