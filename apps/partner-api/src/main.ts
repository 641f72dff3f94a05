import { readEnv } from '#platform/config/read-env';
import { createLogger } from '#platform/logging';
import { createRegistry, serveMetrics } from '#platform/metrics';
import { newStaysYoung } from '#platform/new-stays-young';
import { runProcess } from '#platform/run-process';
import { createPartnerApi } from './create-app.js';
import { partnerApiSettings } from './partner-api.config.js';

newStaysYoung();
runProcess(async (env) => {
  const settings = readEnv(partnerApiSettings, env);
  const logger = createLogger('partner-api', settings.LOG_LEVEL);
  const registry = createRegistry('partner-api');
  const app = await createPartnerApi(settings, { logger, registry });
  await app.listen(settings.PARTNER_API_PORT, settings.LISTEN_HOST);
  await serveMetrics(registry, { host: settings.LISTEN_HOST, port: settings.PARTNER_METRICS_PORT });
  logger.info({ url: await app.getUrl() }, 'partner API is up');
});
