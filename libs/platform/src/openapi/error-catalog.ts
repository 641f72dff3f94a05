import type { ApiResponseOptions, OpenAPIObject } from '@nestjs/swagger';

/** Name of the error body in the document and in generated clients. */
export const ERROR_BODY = 'ErrorBody';

/** A stable code that clients may branch on, with its description for people. */
export interface ErrorEntry {
  readonly code: string;
  readonly status: number;
  /** An example of the message. */
  readonly message: string;
  readonly cause: string;
  readonly cure: string;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly description: string;
  /** Possible values of `code` in this response. */
  readonly entries: readonly ErrorEntry[];
  readonly headers: NonNullable<ApiResponseOptions['headers']>;
  /** The whole body of an example. */
  readonly example: (entry: ErrorEntry) => object;
}

/** An error response with its body and an example; the description explains its codes. */
export function errorResponse({ status, description, entries, headers, example }: ErrorAnswer): ApiResponseOptions {
  const [entry] = entries;
  const examples = entry ? { [entry.code]: { summary: entry.cause, value: example(entry) } } : {};
  return {
    status,
    description,
    headers,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${bodyOf(status)}` },
        examples,
      },
    },
  };
}

const NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  409: 'ConflictError',
  413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError',
  422: 'InvalidRequestError',
  429: 'RateLimitedError',
  500: 'InternalError',
  503: 'UnavailableError',
};

const bodyOf = (status: number): string => NAMES[status] ?? ERROR_BODY;

interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>;
}

/** The body for each status: the common one, with the codes of this status as an enum. */
export function declareErrorBodies(document: OpenAPIObject, catalog: readonly ErrorEntry[]): void {
  const schemas = (document.components ??= {}).schemas ?? {};
  const whole = schemas[ERROR_BODY] as ObjectSchema;
  const detail = schemas.ErrorDetail as ObjectSchema;
  for (const status of new Set(catalog.map((entry) => entry.status))) {
    const name = NAMES[status];
    if (!name) continue;
    const codes = [...new Set(catalog.filter((entry) => entry.status === status).map(({ code }) => code))];
    const code = { type: 'string', enum: codes, description: 'Stable; a client may branch on it.', example: codes[0] };
    const error = { ...detail, title: `${name}Detail`, properties: { ...detail.properties, code } };
    schemas[name] = { ...whole, properties: { error } };
  }
}

/** The catalog as a Markdown table, for the reference page. */
export function errorTable(heading: string, entries: readonly ErrorEntry[]): string {
  const rows = entries.map(({ code, status, cause, cure }) => `| \`${code}\` | ${status} | ${cause} | ${cure} |`);
  return [`| ${heading} | Status | Cause | What to do |`, '|---|---|---|---|', ...rows].join('\n');
}
