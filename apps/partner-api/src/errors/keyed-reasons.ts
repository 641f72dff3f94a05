import type { OpenAPIObject } from '@nestjs/swagger';
import { responseOf } from '#platform/openapi/openapi-document';
import { operationsOf, type Response } from '#platform/openapi/operations';
import { partnerErrorAnswer } from './partner-error-answer.js';
import type { PartnerErrorReason } from './partner-error-reasons.js';

const OF_KEYS = { 409: 'idempotency-key-in-progress', 422: 'idempotency-key-reused' } as const;

/** Adds the reasons for a refused `Idempotency-Key` to those that a route declares. */
export function declareKeyedReasons(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) {
    const takesKey = operation.parameters?.some((one) => 'name' in one && one.name === 'Idempotency-Key') ?? false;
    if (!takesKey || !operation.responses) continue;
    for (const [status, reason] of Object.entries(OF_KEYS)) {
      const named = [...reasonsIn(operation.responses[status]), reason];
      operation.responses[status] = responseOf(partnerErrorAnswer(Number(status), named));
    }
  }
}

function reasonsIn(response: Response | undefined): PartnerErrorReason[] {
  const header = response && 'headers' in response ? response.headers?.['X-Error-Reason'] : undefined;
  const schema = header && 'schema' in header ? header.schema : undefined;
  return schema && 'enum' in schema ? ((schema.enum ?? []) as PartnerErrorReason[]) : [];
}
