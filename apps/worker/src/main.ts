import { NestFactory } from '@nestjs/core';
import { removeAbandonedFolders } from '#libs/services';
import { readEnv } from '#platform/config/read-env';
import { Readiness } from '#platform/health/readiness';
import { listening } from '#platform/listening';
import { createLogger, NestPinoLogger } from '#platform/logging';
import { createRegistry, serveMetrics } from '#platform/metrics';
import { assertRedisAnswers } from '#platform/queue/redis-answers';
import { runProcess } from '#platform/run-process';
import { workerSettings } from './worker.config.js';
import { WorkerModule } from './worker.module.js';

runProcess(async (env) => {
  const settings = readEnv(workerSettings, env);
  const logger = createLogger('worker', settings.LOG_LEVEL);
  await assertRedisAnswers(settings.REDIS_URL);
  await removeAbandonedFolders();
  const registry = createRegistry('worker');
  const app = await NestFactory.createApplicationContext(WorkerModule.forRoot(settings, registry), {
    logger: new NestPinoLogger(logger),
    abortOnError: false,
  });
  app.enableShutdownHooks();
  const readiness = app.get(Readiness);
  const listen = { host: settings.LISTEN_HOST, port: settings.WORKER_METRICS_PORT };
  const health = {
    '/healthz': () => Promise.resolve({ status: 200, body: { status: 'ok' } }),
    '/readyz': () =>
      readiness.check().then(
        () => ({ status: 200, body: { status: 'ok' } }),
        (error: Error) => ({ status: 503, body: { error: { code: 'not-ready', message: error.message } } }),
      ),
  };
  await listening(listen.host, () => serveMetrics(registry, listen, health));
  logger.info('worker is up');
});
