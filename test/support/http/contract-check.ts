import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Answer } from './http-client.js';
import { missingSecurityHeaders } from './security-headers.js';

/** Statuses that the server returns before it reaches an operation, so no operation declares them. */
const BELOW_THE_ROUTES = new Set([400, 404, 405, 408, 414, 417, 431]);

const made = new Map<string, ContractCheck>();

/**
 * Returns the same check for all instances with the same routes, because creating it takes as long as starting the API.
 * @param routes a key that determines the routes
 */
export function contractCheckOf(routes: string, document: () => OpenAPIObject): ContractCheck {
  const check = made.get(routes) ?? new ContractCheck(document());
  made.set(routes, check);
  return check;
}

/** Fails a test if a response does not match the OpenAPI document. */
export class ContractCheck {
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly routes: { pattern: RegExp; path: string }[];

  constructor(private readonly document: OpenAPIObject) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', components: document.components });
    this.routes = Object.keys(document.paths)
      // A literal path takes precedence over one with parameters.
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((path) => ({
        path,
        pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
      }));
  }

  answer(method: string, url: string, answer: Answer): void {
    if (!answer.headers.get('x-request-id')) throw new Error(`${method} ${url}: no X-Request-Id`);
    const unsafe = missingSecurityHeaders((name) => answer.headers.get(name));
    if (unsafe.length > 0) throw new Error(`${method} ${url} ${answer.status}: ${unsafe.join(', ')}`);
    const declared = this.declaredResponse(method, url.split('?', 1)[0] ?? url, answer.status);
    if (declared === 'below') {
      this.matches('#/components/schemas/ErrorBody', answer, `${method} ${url}`);
      return;
    }
    const content = declared.content as Record<string, { schema?: object }> | undefined;
    if (!content) {
      if (answer.text !== '') throw new Error(`${method} ${url} ${answer.status}: the document promises no body`);
      return;
    }
    const type = answer.headers.get('content-type')?.split(';', 1)[0]?.trim() ?? '';
    const media = content[type];
    if (!media) throw new Error(`${method} ${url} ${answer.status}: the document promises no ${type}`);
    if (type === 'application/json') this.matches(media.schema ?? {}, answer, `${method} ${url}`);
  }

  private declaredResponse(method: string, path: string, status: number): 'below' | { content?: unknown } {
    const route = this.routes.find(({ pattern }) => pattern.test(path));
    const item = route && (this.document.paths[route.path] as Record<string, { responses: Record<string, object> }>);
    const operation = item?.[method.toLowerCase()];
    const response = operation?.responses[String(status)];
    if (response) return response;
    if (BELOW_THE_ROUTES.has(status) && (!operation || status !== 404)) return 'below';
    throw new Error(`${method} ${path}: the document does not declare the status ${status}`);
  }

  private matches(schema: object | string, answer: Answer, call: string): void {
    const validate = this.compile(schema);
    if (validate(answer.body)) return;
    const problems = this.ajv.errorsText(validate.errors, { dataVar: 'body' });
    throw new Error(
      `${call} ${answer.status} is not what the document promises: ${problems}\n${answer.text.slice(0, 2_000)}`,
    );
  }

  private compile(schema: object | string): ValidateFunction {
    const text = typeof schema === 'string' ? JSON.stringify({ $ref: schema }) : JSON.stringify(schema);
    const key = text.replaceAll('"#/components/', '"openapi#/components/');
    let validate = this.compiled.get(key);
    if (!validate) {
      validate = this.ajv.compile(JSON.parse(key) as object);
      this.compiled.set(key, validate);
    }
    return validate;
  }
}
