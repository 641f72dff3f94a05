import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { aPartner } from '../support/builders/a-partner.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';
import { missingSecurityHeaders } from '../support/http/security-headers.js';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../..');
const bin = (name: string) => path.join(ROOT, 'node_modules/.bin', name);

interface LintProblem {
  ruleId: string;
  message: string;
  location: { pointer?: string }[];
}

describe('the OpenAPI document of the partner API', () => {
  let api: RunningPartnerApi;
  let folder: string;
  let token: string;

  beforeAll(async () => {
    api = await startPartnerApi();
    token = (await aPartner(api.app, { name: 'Northwind' })).writeToken;
    folder = mkdtempSync(path.join(tmpdir(), 'tenantry-sdk-'));
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    const answer = await api.as(null).get('/openapi.yaml');
    writeFileSync(path.join(folder, 'openapi.yaml'), answer.text);
  });

  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is served without a token at the root and below /v1, as YAML and as JSON', async () => {
    const [yaml, yamlV1, json, jsonV1] = await Promise.all(
      ['/openapi.yaml', '/v1/openapi.yaml', '/openapi.json', '/v1/openapi.json'].map((url) => api.as(null).get(url)),
    );
    expect(yaml!.headers.get('content-type')).toContain('yaml');
    expect(yamlV1!.text).toBe(yaml!.text);
    expect(json!.body.openapi).toMatch(/^3\.0\./);
    expect(jsonV1!.body).toEqual(json!.body);
    expect(parse(yaml!.text)).toEqual(json!.body);
  });

  it('declares the headers that its answers have', async () => {
    const { body: document } = await api.as(null).get('/openapi.json');
    const post = document.paths['/v1/customers'].post;
    const named = (status: string) => Object.keys(post.responses[status].headers).sort();
    const limit = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
    expect(named('201')).toEqual(['Idempotent-Replayed', ...limit, 'X-Request-Id']);
    expect(named('422')).toEqual(['Idempotent-Replayed', ...limit, 'X-Error-Reason', 'X-Request-Id']);
    expect(named('429')).toEqual([...limit, 'Retry-After', 'X-Request-Id']);
    const created = () =>
      api.as(token).post('/v1/customers', { name: 'Declared' }, { 'idempotency-key': 'declared-headers' });
    const [first, again] = [await created(), await created()];
    expect([first.status, first.headers.has('idempotent-replayed')]).toEqual([201, false]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    for (const name of [...limit, 'X-Request-Id'])
      for (const answer of [first, again]) expect(answer.headers.has(name)).toBe(true);
  });

  it('has a page for people', async () => {
    const withSlash = await fetch(`${api.url}/docs/`, { redirect: 'manual' });
    expect([withSlash.status, withSlash.headers.get('location')]).toEqual([308, '/docs']);
    const page = await fetch(`${api.url}/docs`);
    expect(missingSecurityHeaders((name) => page.headers.get(name))).toEqual([]);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('swagger-ui');
  });

  it('passes the recommended lint rules without an error or a warning', async () => {
    const { stdout, stderr } = await run(
      bin('redocly'),
      ['lint', 'openapi.yaml', '--extends', 'recommended', '--format', 'json'],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', CI: 'true' },
      },
    ).catch((error: { stdout: string; stderr: string }) => error);
    const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: LintProblem[] };
    expect(stderr).not.toContain('rror:');
    expect(report.problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it('gives an SDK by openapi-typescript that compiles and calls the server', async () => {
    await run(bin('openapi-typescript'), ['openapi.yaml', '-o', 'schema.ts'], { cwd: folder });
    const answer = await compileAndRun(
      'fetch-client.ts',
      `import createClient from 'openapi-fetch';
       import type { paths } from './schema.js';
       const client = createClient<paths>({ baseUrl: ${JSON.stringify(api.url)}, headers: { authorization: 'Bearer ${token}' } });
       const me = await client.GET('/v1/me');
       const created = await client.POST('/v1/tokens', { body: { label: 'sdk', scope: 'read' } });
       const refused = await client.DELETE('/v1/tokens/{tokenId}', { params: { path: { tokenId: 'nothing' } } });
       console.log(JSON.stringify([me.data?.name, created.data?.token.slice(0, 4), refused.error?.error.code]));`,
    );
    expect(answer).toEqual(['Northwind', 'pcp_', 'not-found']);
  });

  it('gives an SDK by hey-api that compiles and calls the server', async () => {
    await run(bin('openapi-ts'), ['-i', 'openapi.yaml', '-o', 'sdk', '-c', '@hey-api/client-fetch'], {
      cwd: folder,
      env: { ...process.env, CI: 'true' },
    });
    const answer = await compileAndRun(
      'sdk-client.ts',
      `import { client } from './sdk/client.gen.js';
       import { getMe, createToken, listTokens } from './sdk/sdk.gen.js';
       client.setConfig({ baseUrl: ${JSON.stringify(api.url)}, auth: () => '${token}' });
       const me = await getMe();
       const created = await createToken({ body: { label: 'sdk two', scope: 'write' } });
       const list = await listTokens();
       console.log(JSON.stringify([me.data?.name, created.data?.scope, list.data?.some((t) => t.label === 'sdk two')]));`,
    );
    expect(answer).toEqual(['Northwind', 'write', true]);
  });

  async function compileAndRun(file: string, source: string): Promise<unknown> {
    writeFileSync(path.join(folder, file), source);
    mkdirSync(path.join(folder, 'out'), { recursive: true });
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2023',
          lib: ['es2023', 'dom', 'dom.iterable'],
          types: ['node'],
          strict: true,
          skipLibCheck: true,
          outDir: 'out',
          rootDir: '.',
        },
        files: [file],
      }),
    );
    const compiled = await run(bin('tsc'), ['-p', '.'], { cwd: folder }).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');
    expect(readFileSync(path.join(folder, 'out', file.replace('.ts', '.js')), 'utf8')).not.toBe('');
    const { stdout } = await run(process.execPath, [path.join('out', file.replace('.ts', '.js'))], { cwd: folder });
    return JSON.parse(stdout);
  }
});
