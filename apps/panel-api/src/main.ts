import { readEnv } from '#platform/config/read-env';
import { listening } from '#platform/listening';
import { createLogger } from '#platform/logging';
import { createRegistry, serveMetrics } from '#platform/metrics';
import { assertRedisAnswers } from '#platform/queue/redis-answers';
import { runProcess } from '#platform/run-process';
import { createPanelApi } from './create-app.js';
import { panelApiSettings } from './panel-api.config.js';

runProcess(async (env) => {
  const settings = readEnv(panelApiSettings, env);
  const logger = createLogger('panel-api', settings.LOG_LEVEL);
  const registry = createRegistry('panel-api');
  await assertRedisAnswers(settings.REDIS_URL);
  const app = await createPanelApi(settings, { logger, registry });
  const { LISTEN_HOST: host, PANEL_METRICS_PORT: metricsPort } = settings;
  await listening(host, () => app.listen(settings.PANEL_API_PORT, host));
  await serveMetrics(registry, { host, port: metricsPort });
  logger.info({ url: await app.getUrl() }, 'panel API is up');
});
