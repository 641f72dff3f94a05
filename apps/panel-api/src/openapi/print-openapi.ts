import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readEnv } from '#platform/config/read-env';
import { createHttpAdapter } from '#platform/http/fastify/http-adapter';
import { createLogger } from '#platform/logging';
import { runProcess } from '#platform/run-process';
import { panelErrorBody } from '../http/panel-error-body.js';
import { panelApiSettings } from '../panel-api.config.js';
import { PanelApiModule } from '../panel-api.module.js';
import { panelOpenApi } from './panel-openapi.js';

/** Prints the OpenAPI document as JSON. Opens no connections: Nest only scans the modules. */
runProcess(async (env) => {
  const settings = readEnv(panelApiSettings, env);
  const module = PanelApiModule.forRoot(settings, createLogger('panel-openapi', 'silent'));
  const options = { preview: true, logger: false, abortOnError: false } as const;
  const adapter = createHttpAdapter({ trustedProxies: [], errorBody: panelErrorBody });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, options);
  const document = panelOpenApi(app, settings.PANEL_URL);
  process.stdout.write(JSON.stringify(document), () => process.exit(0));
});
