import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { DatabasePulse } from '../../database/connections/database-pulse.js';
import { OpenApiSource } from '../../openapi/openapi-source.js';
import type { ErrorBody } from '../errors/error-body.js';
import { guardRequests } from './http-adapter.js';
import { acceptJsonBodies } from './json-body.js';
import { refuseOtherMethods } from '../routing/known-paths.js';
import { answerOverdue } from '../limits/overdue-answers.js';
import { refuseExpectations, refuseTunnels } from '../errors/raw-errors.js';
import { logRequests } from './request-log.js';
import { serveReference, type ReferencePage } from '../reference/serve-reference.js';

export interface HttpPreparation {
  readonly errorBody: ErrorBody;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly openApi: () => OpenAPIObject;
  readonly reference: ReferencePage;
}

/** Sets up what both APIs need around their routes. Call once, before `app.init()` registers the routes. */
export function prepareHttp(app: NestFastifyApplication, options: HttpPreparation): void {
  const fastify = app.getHttpAdapter().getInstance();
  guardRequests(fastify, { errorBody: options.errorBody, docsPath: options.reference.path });
  const pulse = app.get(DatabasePulse, { strict: false });
  answerOverdue(fastify, options.errorBody, () => pulse.isSilent());
  refuseOtherMethods(fastify);
  acceptJsonBodies(fastify);
  logRequests(fastify, options.logger, options.registry);
  refuseExpectations(fastify.server, options.errorBody);
  refuseTunnels(fastify.server, options.errorBody);
  const source = app.get(OpenApiSource);
  source.setBuilder(options.openApi);
  serveReference(fastify, options.reference);
  app.enableShutdownHooks();
}
