import { parse } from 'yaml';
import { operationsOf } from '#platform/openapi/operations';
import { anAdminKey } from '../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../support/panel-api.js';
import { SdkFolder } from '../support/sdk-folder.js';
import { declaredPolicies, servedRoutes, silentFields } from '../support/http/served-routes.js';
import { missingSecurityHeaders } from '../support/http/security-headers.js';
import { OpenApiSource } from '#platform/openapi/openapi-source';
import * as limits from '../../apps/console/src/api/limits.js';
import { consoleLimits } from '../../tools/lib/build/console-limits.mjs';

/** The console and Swagger UI, which are pages; the WebSocket, which is no HTTP beyond its upgrade; MCP, which describes itself. */
const NOT_IN_THE_DOCUMENT = /^\S+ \/(?:api\/v1\/docs|console|(?:api\/v1\/)?ws$|mcp\/)/;

describe('the panel API', () => {
  let api: RunningPanelApi;
  let folder: SdkFolder;
  let key: string;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { LEGACY_LOGIN: 'true' } });
    key = await anAdminKey(api.app);
    folder = new SdkFolder((await api.as(null).get('/api/v1/openapi.yaml')).text);
  });
  afterAll(async () => {
    await api?.close();
    folder?.remove();
  });

  const document = () => api.app.get(OpenApiSource).document();

  it('is the document that the forms of the console have their limits from: `npm run lint` writes them', () => {
    // This route is there with LEGACY_LOGIN alone.
    const { loginWithPassword: _, ...expected } = consoleLimits(document());
    expect({ ...limits }).toEqual(expected);
  });

  it('serves its document as YAML and as JSON, a page for people, and its release', async () => {
    const [yaml, json] = await Promise.all(
      ['yaml', 'json'].map((ending) => api.as(null).get(`/api/v1/openapi.${ending}`)),
    );
    expect(parse(yaml!.text)).toEqual(json!.body);
    const page = await fetch(`${api.url}/api/v1/docs`);
    expect(missingSecurityHeaders((name) => page.headers.get(name))).toEqual([]);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('swagger-ui')]);
    const withSlash = await fetch(`${api.url}/api/v1/docs/`, { redirect: 'manual' });
    expect([withSlash.status, withSlash.headers.get('location')]).toEqual([308, '/api/v1/docs']);
    expect((await api.as(null).get('/api/v1/version')).body).toEqual({ version: '2.12.8' });
  });

  it('describes all of its routes and no others', () => {
    const served = [...servedRoutes(api.app)].filter((route) => !NOT_IN_THE_DOCUMENT.test(route));
    const described = operationsOf(document()).map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(described.sort()).toEqual(served.sort());
  });

  it('says of every route who may call it: nobody is let in by oversight', () => {
    const policies = declaredPolicies<{ public: boolean; permission: string | null; reach: string }>(api.app);
    expect(policies.length).toBeGreaterThan(15);
    for (const [route, policy] of policies) {
      const declared = policy.public || policy.permission !== null || policy.reach === 'self';
      expect([route, declared]).toEqual([route, true]);
    }
  });

  it('declares the errors of every route, with a readable operation id', () => {
    for (const { path, method, operation } of operationsOf(document())) {
      const name = `${method} ${path}`;
      const statuses = Object.keys(operation.responses ?? {});
      const isPublic = (operation.security ?? []).length === 0;
      if (!isPublic) expect([name, statuses]).toEqual([name, expect.arrayContaining(['401', '403', '429', '500'])]);
      if (operation.requestBody) {
        expect([name, statuses]).toEqual([name, expect.arrayContaining(['400', '413', '415', '422'])]);
      }
      if (path.includes('{')) expect([name, statuses]).toEqual([name, expect.arrayContaining(['404'])]);
      expect([name, operation.operationId]).toEqual([name, expect.stringMatching(/^[a-z][A-Za-z0-9]+$/)]);
      expect([name, operation.summary, operation.description]).toEqual([name, expect.any(String), expect.any(String)]);
    }
  });

  it('gives every field a type and an example', () => {
    expect(silentFields(document().components?.schemas ?? {})).toEqual([]);
  });

  it('declares the headers of its limits with what is counted', async () => {
    const { body: document } = await api.as(null).get('/api/v1/openapi.json');
    const limit = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
    const named = (path: string, status: string) => Object.keys(document.paths[path].get.responses[status].headers);
    for (const path of ['/api/v1/services', '/api/v1/openapi.yaml']) {
      expect(named(path, '200')).toEqual(expect.arrayContaining([...limit, 'X-Request-Id']));
      expect(named(path, '429')).toEqual(expect.arrayContaining([...limit, 'Retry-After']));
      expect(named(path, '503').sort()).toEqual(['Retry-After', 'X-Request-Id']);
    }
    const answer = await api.as(null).get('/api/v1/openapi.yaml');
    for (const name of limit) expect(answer.headers.has(name)).toBe(true);
  });

  it('lists every code of an error with its cause and cure', () => {
    const { description } = document().info;
    for (const code of ['service_locked', 'origin_rejected', 'queue_unavailable', 'too_long'])
      expect(description).toContain(`\`${code}\``);
  });

  it('passes the recommended lint rules without an error or a warning', async () => {
    expect(await folder.lint()).toEqual([]);
  });

  it('gives an SDK by openapi-typescript that compiles and calls the server', async () => {
    await folder.makeTypes();
    const answer = await folder.compileAndRun(
      'fetch-client.ts',
      `import createClient from 'openapi-fetch';
       import type { paths } from './schema.js';
       const client = createClient<paths>({ baseUrl: ${JSON.stringify(api.url)}, headers: { authorization: 'Bearer ${key}' } });
       const me = await client.GET('/api/v1/auth/me');
       const created = await client.POST('/api/v1/api-keys', { body: { name: 'sdk', scopes: ['services:*'] } });
       const refused = await client.DELETE('/api/v1/api-keys/{id}', { params: { path: { id: 'nothing' } } });
       console.log(JSON.stringify([me.data?.user.role, created.data?.metadata.scopes, refused.error?.error.code]));`,
    );
    expect(answer).toEqual(['admin', ['services:*'], 'not_found']);
  });

  it('gives an SDK by hey-api that compiles and calls the server', async () => {
    await folder.makeSdk();
    const answer = await folder.compileAndRun(
      'sdk-client.ts',
      `import { client } from './sdk/client.gen.js';
       import { createApiKey, getMe, listApiKeys } from './sdk/sdk.gen.js';
       client.setConfig({ baseUrl: ${JSON.stringify(api.url)}, auth: () => '${key}' });
       const me = await getMe();
       const created = await createApiKey({ body: { name: 'sdk two', role: 'customer' } });
       const list = await listApiKeys();
       console.log(JSON.stringify([me.data?.user.role, created.data?.metadata.role, list.data?.keys[0]?.name]));`,
    );
    expect(answer).toEqual(['admin', 'customer', 'sdk two']);
  });
});
