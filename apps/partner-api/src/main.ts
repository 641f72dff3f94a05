import { readEnv } from '#platform/config/read-env';
import { listening } from '#platform/listening';
import { createLogger } from '#platform/logging';
import { createRegistry, serveMetrics } from '#platform/metrics';
import { assertRedisAnswers } from '#platform/queue/redis-answers';
import { runProcess } from '#platform/run-process';
import { createPartnerApi } from './create-app.js';
import { partnerApiSettings } from './partner-api.config.js';

runProcess(async (env) => {
  const settings = readEnv(partnerApiSettings, env);
  const logger = createLogger('partner-api', settings.LOG_LEVEL);
  const registry = createRegistry('partner-api');
  await assertRedisAnswers(settings.REDIS_URL);
  const app = await createPartnerApi(settings, { logger, registry });
  const { LISTEN_HOST: host, PARTNER_METRICS_PORT: metricsPort } = settings;
  await listening(host, () => app.listen(settings.PARTNER_API_PORT, host));
  await serveMetrics(registry, { host, port: metricsPort });
  logger.info({ url: await app.getUrl() }, 'partner API is up');
});
