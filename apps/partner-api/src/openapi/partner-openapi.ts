import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { errorTable } from '#platform/openapi/error-catalog';
import { buildOpenApi } from '#platform/openapi/openapi-document';
import { BODY_LIMIT_BYTES } from '#platform/http/fastify/http-adapter';
import { declareKeyedReasons } from '../errors/keyed-reasons.js';
import { partnerErrorAnswer } from '../errors/partner-error-answer.js';
import { PARTNER_ERROR_REASONS } from '../errors/partner-error-reasons.js';
import { PARTNER_ERROR_CODES } from '../errors/partner-error-codes.js';
import { ErrorDto } from '../http/partner-error-body.js';

const DESCRIPTION = `
Issue licenses to your customers, suspend, resume, terminate and move them, keep customers with contacts and notes, and
read the ledger, live usage and finalized statements.

**Authentication.** Send \`Authorization: Bearer pcp_…\` with every request. A token has the scope \`read\` (GET) or
\`write\` (everything). **Errors** all have the body \`{"error":{"code","message"}}\`; on 409 and 422 the header
\`X-Error-Reason\` carries a stable slug. **Limits:** 10 requests per second and token, bursts of 30; then 429 with
\`Retry-After\`. **Repeats:** send an \`Idempotency-Key\` with any POST and repeat it safely for 24 hours. Every answer
carries \`X-Request-Id\`; a valid one of yours is used.

**Compatibility.** Fields, routes and enum values may be added at any time; clients must accept what they do not know.
A removal is announced by \`Deprecation\` and \`Sunset\` headers 12 months ahead.

## Errors

${errorTable('`code`', PARTNER_ERROR_CODES)}

On 409 and 422 the header \`X-Error-Reason\` says which rule:

${errorTable('Reason', PARTNER_ERROR_REASONS)}
`.trim();

export function partnerOpenApi(app: INestApplication, serverUrl: string): OpenAPIObject {
  return buildOpenApi(app, {
    title: 'Tenantry Partner API',
    description: DESCRIPTION,
    version: '1.0.0',
    serverUrl,
    errorSchema: ErrorDto,
    errorCodes: PARTNER_ERROR_CODES,
    errorAnswer: partnerErrorAnswer,
    longestText: BODY_LIMIT_BYTES,
    declare: declareKeyedReasons,
    tags: {
      Identity: 'The calling partner.',
      Tokens: 'API tokens of the own account.',
      'License service': 'What running panels ask; needs no token.',
      Customers: 'Customers of the subtree.',
      Contacts: 'People at a customer.',
      'Customer notes': 'Dated remarks on a customer, append-only.',
      Contracts: 'What licenses are issued on; made by staff.',
      Licenses: 'Licenses of the subtree.',
      Transfers: 'Licenses that went from one owner to another.',
      Activity: 'The ledger of a customer: append-only and hash-chained.',
      Billing: 'Live usage and statements of the own account.',
      Contract: 'This description.',
      Operations: 'Health of the service.',
    },
    security: (builder) =>
      builder.addBearerAuth(
        { type: 'http', scheme: 'bearer', bearerFormat: 'pcp_…', description: 'An API token of the partner.' },
        'token',
      ),
  });
}
