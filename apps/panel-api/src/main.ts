import { readEnv } from '#platform/config/read-env';
import { createLogger } from '#platform/logging';
import { createRegistry, serveMetrics } from '#platform/metrics';
import { newStaysYoung } from '#platform/new-stays-young';
import { runProcess } from '#platform/run-process';
import { createPanelApi } from './create-app.js';
import { panelApiSettings } from './panel-api.config.js';

newStaysYoung();
runProcess(async (env) => {
  const settings = readEnv(panelApiSettings, env);
  const logger = createLogger('panel-api', settings.LOG_LEVEL);
  const registry = createRegistry('panel-api');
  const app = await createPanelApi(settings, { logger, registry });
  await app.listen(settings.PANEL_API_PORT, settings.LISTEN_HOST);
  await serveMetrics(registry, { host: settings.LISTEN_HOST, port: settings.PANEL_METRICS_PORT });
  logger.info({ url: await app.getUrl() }, 'panel API is up');
});
