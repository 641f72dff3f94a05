import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readEnv } from '#platform/config/read-env';
import { createLogger } from '#platform/logging';
import { runProcess } from '#platform/run-process';
import { partnerHttpAdapter } from '../create-app.js';
import { partnerApiSettings } from '../partner-api.config.js';
import { PartnerApiModule } from '../partner-api.module.js';
import { partnerOpenApi } from './partner-openapi.js';

/** Prints the OpenAPI document as JSON. Opens no connections: Nest only scans the modules. */
runProcess(async (env) => {
  const settings = readEnv(partnerApiSettings, env);
  const module = PartnerApiModule.forRoot(settings, createLogger('partner-openapi', 'silent'));
  const options = { preview: true, logger: false, abortOnError: false } as const;
  const app = await NestFactory.create<NestFastifyApplication>(module, partnerHttpAdapter(settings), options);
  const document = partnerOpenApi(app, settings.PARTNER_API_BASE_URL);
  process.stdout.write(JSON.stringify(document), () => process.exit(0));
});
