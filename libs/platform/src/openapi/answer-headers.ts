import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

/** Response headers that many routes share. */
const HEADERS = {
  'X-Request-Id': {
    description: "Identifies the request in the service's logs: your own id if it was valid, otherwise a new one.",
    schema: { type: 'string' },
    example: '5f0c3c1e-7c55-4a8f-9a3b-0d9d2f6c1b7e',
  },
  'Idempotent-Replayed': {
    description:
      '`true` if this is the stored response to an earlier request with the same Idempotency-Key; otherwise absent.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'RateLimit-Limit': {
    description: 'Requests allowed in a burst.',
    schema: { type: 'integer' },
    example: 60,
  },
  'RateLimit-Remaining': {
    description: 'Requests left at this moment.',
    schema: { type: 'integer' },
    example: 14,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the full burst is available again.',
    schema: { type: 'integer' },
    example: 1,
  },
};

/** For routes with a rate limit. */
const LIMIT = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

/** Statuses that are decided before the `Idempotency-Key`, or are never stored. */
const NEVER_REPLAYED = /^(400|401|403|413|415|429|5..)$/;

export function declareHeaders(document: OpenAPIObject): void {
  const used: Partial<typeof HEADERS> = {};
  const references = (names: readonly (keyof typeof HEADERS)[]) =>
    Object.fromEntries(
      names.map((name) => {
        Object.assign(used, { [name]: HEADERS[name] });
        return [name, { $ref: `#/components/headers/${name}` }];
      }),
    );
  for (const { operation } of operationsOf(document)) {
    const isLimited = operation.responses?.['429'] !== undefined;
    const takesKey = operation.parameters?.some((one) => 'name' in one && one.name === 'Idempotency-Key') ?? false;
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      if (!response || '$ref' in response) continue;
      const names: (keyof typeof HEADERS)[] = ['X-Request-Id'];
      if (takesKey && !NEVER_REPLAYED.test(status)) names.push('Idempotent-Replayed');
      if (isLimited && /^[234]..$/.test(status)) names.push(...LIMIT);
      response.headers = { ...response.headers, ...references(names) };
    }
  }
  document.components = { ...document.components, headers: { ...document.components?.headers, ...used } };
}
