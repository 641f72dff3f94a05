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
Issue licenses to your customers; suspend, resume, terminate and transfer them; manage customers with contacts and notes;
read the ledger, live usage and finalized statements.

## Quickstart

Our staff gives you a first token. Check who you are, choose a contract, add a customer, and issue a license to it:

\`\`\`sh
API=https://partners.example.com TOKEN=pcp_…
curl $API/v1/me -H "Authorization: Bearer $TOKEN"
curl $API/v1/contracts -H "Authorization: Bearer $TOKEN"
curl $API/v1/customers -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"name":"Harbour Books"}'
curl $API/v1/licenses -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: first-license' \\
  -d '{"customerId":"…","contractId":"…","edition":"web-host"}'
\`\`\`

The last response contains the license key, which is shown only once. To try requests on this page, enter the token under
**Authorize**.

## Conventions

**Authentication.** Send \`Authorization: Bearer pcp_…\` with every request. A token has the scope \`read\` (GET) or
\`write\` (everything). **Errors** all have the body \`{"error":{"code","message"}}\`; on 409 and 422 the header
\`X-Error-Reason\` carries a stable slug. **Limits:** 10 requests per second and token, bursts of 30; then 429 with
\`Retry-After\`. **Retries:** send an \`Idempotency-Key\` with any POST, and you can repeat it safely for 24 hours. Every
response carries \`X-Request-Id\`: your own, if you send a valid one.

**Compatibility.** Fields, routes and enum values may be added at any time; clients must accept unknown ones.
Removals are announced 12 months ahead by \`Deprecation\` and \`Sunset\` headers.

## Errors

${errorTable('`code`', PARTNER_ERROR_CODES)}

On 409 and 422 the header \`X-Error-Reason\` names the rule:

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
    maxTextLength: BODY_LIMIT_BYTES,
    declare: declareKeyedReasons,
    // In the order in which a partner needs them.
    tags: {
      Identity: 'The calling partner.',
      Contracts: 'Terms on which licenses are issued; created by staff.',
      Customers: 'Customers of the subtree.',
      Contacts: 'People at a customer.',
      'Customer notes': 'Dated remarks on a customer, append-only.',
      Licenses: 'Licenses of the subtree.',
      Transfers: 'Moves of licenses from one owner to another.',
      Billing: 'Live usage and statements of your account.',
      Activity: 'The ledger of a customer: append-only and hash-chained.',
      Tokens: 'API tokens of your account.',
      'License service': 'Called by running panels; no token is needed.',
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
