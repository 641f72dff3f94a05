import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { errorTable } from '#platform/openapi/error-catalog';
import { buildOpenApi } from '#platform/openapi/openapi-document';
import { DETAIL_CODES } from '../errors/detail-codes.js';
import { panelErrorAnswer } from '../errors/panel-error-answer.js';
import { PANEL_ERROR_CODES } from '../errors/panel-error-codes.js';
import { BODY_LIMIT_BYTES } from '../http/body-limit.js';
import { ErrorDto } from '../http/panel-error-body.js';
import { PANEL_RELEASE } from '../version/version.controller.js';

const DESCRIPTION = `
Run services on Docker from a compose file. People sign in with OpenID Connect; programs send
\`Authorization: Bearer pk_…\`.

## Quickstart

Check what a compose file would run, deploy it, and read its status:

\`\`\`sh
API=https://panel.example.com/api/v1 KEY=pk_…
printf '%s' '{"name":"hello","composeYaml":"services:\\n  web:\\n    image: nginx:1.27\\n"}' > hello.json
curl $API/services/validate -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d @hello.json
curl $API/services -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d @hello.json
curl $API/services -H "Authorization: Bearer $KEY"
\`\`\`

Customers do the same under \`/portal\`. To try requests on this page, enter the key under **Authorize**.

## Conventions

**Live events.** The WebSocket \`/ws\` (also \`/api/v1/ws\`) sends statuses, deployment steps and logs as they happen, with
the same credentials: JSON messages \`{v:1,type,id?,channel?,seq?,ts,data}\` on the channels \`services\`,
\`service:<id>\`, \`service:<id>:logs\` and \`deployment:<id>\`. \`/console\` shows them.

**Errors** all have the body \`{"error":{"code","message","details?","requestId"}}\`.

## Errors

${errorTable('`code`', PANEL_ERROR_CODES)}

In \`details[].code\`:

${Object.entries(DETAIL_CODES)
  .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
  .join('\n')}
`.trim();

export function panelOpenApi(app: INestApplication, serverUrl: string): OpenAPIObject {
  return buildOpenApi(app, {
    title: 'Tenantry Panel API',
    description: DESCRIPTION,
    version: PANEL_RELEASE,
    serverUrl,
    errorSchema: ErrorDto,
    errorCodes: PANEL_ERROR_CODES,
    errorAnswer: panelErrorAnswer,
    maxTextLength: BODY_LIMIT_BYTES,
    tags: {
      'Sign-in': 'Browser sign-in with the identity provider.',
      Identity: 'The calling user, its sessions and permissions.',
      'API keys': 'Keys for automation.',
      Secrets: 'Secret values for the deployments of your organisation.',
      Services: 'Customer applications and their deployments.',
      Templates: 'Ready-made databases.',
      Credentials: 'Connection details and passwords of databases.',
      Realtime: 'Live events.',
      Monitoring: 'Resource use and health of services.',
      Domains: 'Host names of services and their verification.',
      'Git hooks': 'Deployments on push.',
      Organisations: 'Organisations, their members and quotas.',
      Portal: "Services of the customer's own organisation.",
      Analysis: 'What a repository needs to run.',
      Audit: 'Who did what.',
      Contract: 'This description and its version.',
      Operations: 'Health of the service.',
    },
    security: (builder) =>
      builder
        .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'pk_…', description: 'A panel API key.' }, 'key')
        .addCookieAuth(
          'oidc_session',
          { type: 'apiKey', in: 'cookie', description: 'A signed-in browser.' },
          'session',
        ),
  });
}
