import { NestFactory } from '@nestjs/core';
import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Clock } from '#kernel/time/clock';
import { prepareHttp } from '#platform/http/fastify/prepare-http';
import { createHttpAdapter } from '#platform/http/fastify/http-adapter';
import { NestPinoLogger } from '#platform/logging';
import { partnerErrorBody } from './http/partner-error-body.js';
import { refuseInventedTokens } from './http/refuse-invented-tokens.js';
import { partnerOpenApi } from './openapi/partner-openapi.js';
import type { PartnerApiSettings } from './partner-api.config.js';
import { PartnerApiModule } from './partner-api.module.js';

export function partnerHttpAdapter(settings: PartnerApiSettings): FastifyAdapter {
  return createHttpAdapter({ trustedProxies: settings.TRUSTED_PROXIES, errorBody: partnerErrorBody });
}

/** The partner API, ready to listen; tests and the OpenAPI dump use it too. */
export async function createPartnerApi(
  settings: PartnerApiSettings,
  { logger, registry, clock }: { logger: Logger; registry: Registry; clock?: Clock },
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    PartnerApiModule.forRoot(settings, logger, clock),
    partnerHttpAdapter(settings),
    { logger: new NestPinoLogger(logger), bodyParser: false, abortOnError: false },
  );
  return preparePartnerApi(app, settings, { logger, registry });
}

/** Sets up HTTP for an application of `PartnerApiModule` and initialises it. */
export async function preparePartnerApi(
  app: NestFastifyApplication,
  settings: PartnerApiSettings,
  { logger, registry }: { logger: Logger; registry: Registry },
): Promise<NestFastifyApplication> {
  prepareHttp(app, {
    errorBody: partnerErrorBody,
    logger,
    registry,
    openApi: () => partnerOpenApi(app, settings.PARTNER_API_BASE_URL),
    reference: { path: 'docs', title: 'Tenantry Partner API', json: '/openapi.json', yaml: '/openapi.yaml' },
  });
  refuseInventedTokens(app);
  await app.init();
  return app;
}
