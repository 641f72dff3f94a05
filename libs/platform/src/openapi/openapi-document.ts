import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type ApiResponseOptions, type OpenAPIObject } from '@nestjs/swagger';
import { declareHeaders } from './answer-headers.js';
import { describeLimits } from './describe-limits.js';
import { declareErrorBodies, ERROR_BODY, type ErrorEntry } from './error-catalog.js';
import { operationsOf, type Operation, type Response } from './operations.js';
import { useDomainNames } from './domain-names.js';
import { describeRequestDefaults } from './request-defaults.js';

export interface OpenApiOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly serverUrl: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The DTO of every error body. */
  readonly errorSchema: new () => object;
  /** All error codes. */
  readonly errorCodes: readonly ErrorEntry[];
  /** The error response of any route with this status. */
  readonly errorAnswer: (status: number) => ApiResponseOptions;
  /** Maximum length of any string in characters, which the maximum body size implies. */
  readonly maxTextLength: number;
  /** Changes that an API makes to its document before it is completed. */
  readonly declare?: (document: OpenAPIObject) => void;
  readonly security: (builder: DocumentBuilder) => DocumentBuilder;
}

/** The OpenAPI document, generated from the decorators of the registered routes. */
export function buildOpenApi(app: INestApplication, options: OpenApiOptions): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle(options.title)
    .setDescription(options.description)
    .setVersion(options.version)
    .setLicense('Proprietary', 'https://tenantry.example/license')
    .setContact('Tenantry support', 'https://tenantry.example/support', 'support@tenantry.example')
    .addServer(options.serverUrl);
  for (const [name, description] of Object.entries(options.tags)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, options.security(builder).build(), {
    extraModels: [options.errorSchema],
  });
  for (const server of document.servers ?? []) Object.assign(server, { 'x-internal': false });
  declareTags(document);
  declareErrorBodies(document, options.errorCodes);
  options.declare?.(document);
  complete(document, options.errorAnswer);
  declareHeaders(document);
  describeRequestDefaults(document);
  describeLimits(document, options.maxTextLength);
  return useDomainNames(document);
}

/** Tags without a description come last. */
function declareTags(document: OpenAPIObject): void {
  const known = new Set(document.tags?.map(({ name }) => name));
  const used = new Set(operationsOf(document).flatMap(({ operation }) => operation.tags ?? []));
  const others = [...used].filter((name) => !known.has(name)).sort();
  document.tags = [...(document.tags ?? []), ...others.map((name) => ({ name, description: `${name}.` }))];
}

/** Statuses that any route can return, and those of any method but GET, with or without a body. */
const EVERYWHERE = [400, 500, 503];
const WITH_A_BODY = [413, 415];

const ANY_ERROR = {
  description: 'Any other error, such as 405 or 431.',
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${ERROR_BODY}` } } },
};

/**
 * Completes what the decorators leave open: OpenAPI requires a description for each status, and a route without
 * credentials must declare that.
 */
function complete(document: OpenAPIObject, errorAnswer: OpenApiOptions['errorAnswer']): void {
  for (const { method, operation } of operationsOf(document)) {
    operation.security ??= [];
    operation.responses ??= {};
    describeParameters(operation);
    const always = [...EVERYWHERE, ...(method === 'get' ? [] : WITH_A_BODY)];
    for (const status of always) operation.responses[status] ??= responseOf(errorAnswer(status));
    operation.responses.default ??= ANY_ERROR;
    for (const [status, response] of Object.entries(operation.responses)) {
      if (response && 'description' in response && !response.description) response.description = `Status ${status}.`;
    }
  }
}

/** Parameters are strings unless declared otherwise; those in the path are ids. */
function describeParameters(operation: Operation): void {
  for (const parameter of operation.parameters ?? []) {
    if ('$ref' in parameter) continue;
    parameter.description ??= parameter.in === 'path' ? 'Id of the resource.' : `Filter by \`${parameter.name}\`.`;
    const { schema } = parameter;
    if (schema && !('$ref' in schema) && !schema.type && !schema.allOf && !schema.oneOf) schema.type = 'string';
  }
}

/** The decorator's options are the response itself, apart from its status. */
export function responseOf({ status: _status, ...response }: ApiResponseOptions): Response {
  return response as Response;
}
