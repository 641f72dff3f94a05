import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { declareHeaders } from './answer-headers.js';
import { operationsOf } from './operations.js';

export interface OpenApiOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly serverUrl: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The DTO that every error answer has. */
  readonly errorSchema: new () => object;
  /** Whether an answer that is counted against a limit says how much of it is left. */
  readonly tellsLimits?: boolean;
  readonly security: (builder: DocumentBuilder) => DocumentBuilder;
}

/** The machine-readable contract, from the decorators of the routes that are really there. */
export function buildOpenApi(app: INestApplication, options: OpenApiOptions): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle(options.title)
    .setDescription(options.description)
    .setVersion(options.version)
    .setLicense('Proprietary', 'https://tenantry.example/license')
    .addServer(options.serverUrl);
  for (const [name, description] of Object.entries(options.tags)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, options.security(builder).build(), {
    extraModels: [options.errorSchema],
  });
  complete(document, options.errorSchema.name);
  declareHeaders(document, options.tellsLimits ?? false);
  return document;
}

/** What any route can answer, and any but a GET, whether it wants a body or not. */
const EVERYWHERE = {
  400: 'The request is malformed.',
  503: 'A dependency does not answer at the moment. Nothing is half done.',
};
const WITH_A_BODY = { 413: 'The body is larger than this API accepts.', 415: 'The body is not JSON.' };

/**
 * What the decorators leave open: a status without a text is an error in OpenAPI, and a route without credentials must
 * say so.
 */
function complete(document: OpenAPIObject, errorSchema: string): void {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${errorSchema}` } } };
  for (const { method, operation } of operationsOf(document)) {
    operation.security ??= [];
    operation.responses ??= {};
    const always = { ...EVERYWHERE, ...(method !== 'get' && WITH_A_BODY) };
    for (const [status, description] of Object.entries(always))
      operation.responses[status] ??= { description, content };
    for (const [status, response] of Object.entries(operation.responses)) {
      if (response && 'description' in response && !response.description) response.description = `Status ${status}.`;
    }
  }
}
