import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Clock } from '#kernel/time/clock';
import { prepareHttp } from '#platform/http/fastify/prepare-http';
import { createHttpAdapter } from '#platform/http/fastify/http-adapter';
import { NestPinoLogger } from '#platform/logging';
import { BODY_LIMIT_BYTES } from './http/body-limit.js';
import { serveConsole } from './console/serve-console.js';
import { panelErrorBody } from './http/panel-error-body.js';
import { panelOpenApi } from './openapi/panel-openapi.js';
import type { PanelApiSettings } from './panel-api.config.js';
import { PanelApiModule } from './panel-api.module.js';
import { routeUpgrades } from './realtime/upgrade/upgrades.js';

/** The panel API, ready to listen. Tests and the OpenAPI dump start it this way too. */
export async function createPanelApi(
  settings: PanelApiSettings,
  { logger, registry, clock }: { logger: Logger; registry: Registry; clock?: Clock },
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    PanelApiModule.forRoot(settings, logger, clock),
    createHttpAdapter({
      trustedProxies: settings.TRUSTED_PROXIES,
      errorBody: panelErrorBody,
      bodyLimitBytes: BODY_LIMIT_BYTES,
    }),
    { logger: new NestPinoLogger(logger), bodyParser: false, abortOnError: false },
  );
  prepareHttp(app, {
    errorBody: panelErrorBody,
    logger,
    registry,
    openApi: () => panelOpenApi(app, settings.PANEL_URL),
    reference: {
      path: 'api/v1/docs',
      title: 'Tenantry Panel API',
      json: '/api/v1/openapi.json',
      yaml: '/api/v1/openapi.yaml',
    },
  });
  serveConsole(app.getHttpAdapter().getInstance());
  routeUpgrades(app.getHttpAdapter().getInstance());
  await app.init();
  return app;
}
