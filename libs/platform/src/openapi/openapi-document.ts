import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

export interface OpenApiOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly serverUrl: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The DTO that every error answer has. */
  readonly errorSchema: new () => object;
  readonly security: (builder: DocumentBuilder) => DocumentBuilder;
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

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
  declareHeaders(complete(document, options.errorSchema.name));
  return document;
}

export function operationsOf(document: OpenAPIObject): { path: string; method: string; operation: Operation }[] {
  const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
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
function complete(document: OpenAPIObject, errorSchema: string): OpenAPIObject {
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
  return document;
}

/** Headers that many routes answer with, described once. */
const HEADERS = {
  'X-Request-Id': {
    description: "Names the request in the service's logs: the caller's own when it was usable, else a new one.",
    schema: { type: 'string' },
    example: '5f0c3c1e-7c55-4a8f-9a3b-0d9d2f6c1b7e',
  },
  'Idempotent-Replayed': {
    description: 'There, as `true`, when this is the kept answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'RateLimit-Limit': { description: 'Requests a minute.', schema: { type: 'integer' }, example: 60 },
  'RateLimit-Remaining': {
    description: 'Requests that are free at this moment.',
    schema: { type: 'integer' },
    example: 14,
  },
  'RateLimit-Reset': { description: 'Seconds until all are free again.', schema: { type: 'integer' }, example: 1 },
};

/** What a route that names them with its 429 says with every answer that it counts. */
const LIMIT = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

/** What is refused before the `Idempotency-Key` is looked at, and what is never kept. */
const NEVER_REPLAYED = /^(400|401|403|413|415|429|5..)$/;

function declareHeaders(document: OpenAPIObject): void {
  const used: Partial<typeof HEADERS> = {};
  const references = (names: readonly (keyof typeof HEADERS)[]) =>
    Object.fromEntries(
      names.map((name) => {
        Object.assign(used, { [name]: HEADERS[name] });
        return [name, { $ref: `#/components/headers/${name}` }];
      }),
    );
  for (const { operation } of operationsOf(document)) {
    const limited = operation.responses?.['429'];
    const tellsLimit = limited !== undefined && 'headers' in limited && LIMIT.some((name) => limited.headers?.[name]);
    const takesKey = operation.parameters?.some((one) => 'name' in one && one.name === 'Idempotency-Key') ?? false;
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      if (!response || '$ref' in response) continue;
      const names: (keyof typeof HEADERS)[] = ['X-Request-Id'];
      if (takesKey && !NEVER_REPLAYED.test(status)) names.push('Idempotent-Replayed');
      if (tellsLimit && /^(2..|3..|429)$/.test(status)) names.push(...LIMIT);
      response.headers = { ...response.headers, ...references(names) };
    }
  }
  document.components = { ...document.components, headers: { ...document.components?.headers, ...used } };
}
