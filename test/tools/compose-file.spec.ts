import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeDatabaseImage } from '../support/databases/database-images.js';
import { missingTool } from '../support/databases/database-root.js';
import { makeImage, removeImage } from '../support/docker/images.js';
import { makeCaddyStandIn, makeNodeStandIn, makePostgresStandIn } from '../support/docker/stand-ins.js';
import { eventually } from '../support/docker/eventually.js';
import { freePort } from '../support/free-port.js';

const ROOT = path.resolve(__dirname, '../..');
const MINUTE = 60_000;
const FILES = ['--file', 'compose.yaml', '--file', 'network.json'];
const PROCESSES = ['partner-api', 'panel-api', 'worker'];
const ONLINE = 'I am online\n';
/** A web server of the test image. */
const SERVER = ['sh', '-c', 'mkdir -p /www && echo "I am online" > /www/index.html && exec httpd -f -p 8080 -h /www'];
const NAME = `tenantry-${randomUUID().slice(0, 8)}`;
const IMAGES = {
  node: `${NAME}/node:24`,
  postgres: `${NAME}/postgres:18`,
  caddy: `${NAME}/caddy:2`,
  redis: `${NAME}/redis:7`,
  web: `${NAME}/web:1`,
};

const wanted = process.env.TEST_COMPOSE_FILE === '1';
const missing = wanted ? missingTool() : 'it builds the image, which takes five minutes; TEST_COMPOSE_FILE=1 runs it';
if (missing !== null) process.stderr.write(`skipped: docker/compose.yaml as it stands: ${missing}\n`);

/** With stand-ins for the images that come from a registry: none can be reached here. */
(missing === null ? describe : describe.skip)('docker/compose.yaml as it stands', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-compose-'));
  const docker = path.join(folder, 'docker');
  let httpsPort: number;

  const compose = (...args: string[]): string =>
    execFileSync('docker-compose', [...FILES, '--project-name', NAME, ...args], {
      cwd: docker,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 26,
    });
  const cli = <T>(...args: string[]): T =>
    JSON.parse(
      compose('run', '--rm', '-T', 'cli', ...args, '--json')
        .split('\n')
        .filter((line) => /^[[{]/.test(line))
        .at(-1)!,
    ) as T;

  /** Through Caddy, whose own authority nobody trusts here. */
  function ask(host: string, route: string, { token, body }: { token?: string; body?: object } = {}) {
    const args = [
      '-sk',
      '-w',
      '\n%{http_code}',
      '--resolve',
      `${host}:${httpsPort}:127.0.0.1`,
      `https://${host}:${httpsPort}${route}`,
    ];
    if (token) args.push('-H', `Authorization: Bearer ${token}`);
    if (body) args.push('-H', 'Content-Type: application/json', '-d', JSON.stringify(body));
    const lines = spawnSync('curl', args, { encoding: 'utf8' }).stdout.split('\n');
    const status = Number(lines.pop());
    const text = lines.join('\n');
    return { status, text, body: text.startsWith('{') ? JSON.parse(text) : null };
  }

  beforeAll(async () => {
    makeNodeStandIn(IMAGES.node);
    await makePostgresStandIn(IMAGES.postgres);
    makeCaddyStandIn(IMAGES.caddy, IMAGES.node);
    // As the official image is built; Debian's server refuses strangers by default.
    await makeDatabaseImage('redis', IMAGES.redis, { instructions: ['CMD ["redis-server","--protected-mode","no"]'] });
    await makeImage(IMAGES.web, { command: SERVER });
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
    for (const file of files) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      cpSync(path.join(ROOT, file), path.join(folder, file), { verbatimSymlinks: true });
    }
    httpsPort = await freePort();
    const settings = {
      // Compose reads $ and # of an .env by its own rules; @, / and : are what an address cannot hold.
      POSTGRES_PASSWORD: `p@ss/w:rd?${randomBytes(6).toString('hex')}`,
      SECRETS_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      DOCKER_GROUP: statSync('/var/run/docker.sock').gid,
      PANEL_URL: 'https://panel.localhost',
      PARTNER_API_BASE_URL: 'https://partners.localhost',
      NODE_IMAGE: IMAGES.node,
      POSTGRES_IMAGE: IMAGES.postgres,
      CADDY_IMAGE: IMAGES.caddy,
      REDIS_IMAGE: IMAGES.redis,
      REDIS_URL: 'redis://redis:6379',
      PARTNER_API_PORT: await freePort(),
      PANEL_API_PORT: await freePort(),
      HTTP_PORT: await freePort(),
      HTTPS_PORT: httpsPort,
      SUBNET: '10.203.77.0/24',
      TRUSTED_PROXIES: '10.203.77.0/24',
      BASE_DOMAIN: 'apps.test',
      INGRESS_TLS: 'internal',
    };
    writeFileSync(
      path.join(docker, '.env'),
      Object.entries(settings)
        .map((pair) => `${pair.join('=')}\n`)
        .join(''),
    );
    // Where containers have no way to Debian's mirror, the machine itself has.
    const build = { network: 'host' };
    const services = Object.fromEntries([...PROCESSES, 'migrate', 'cli'].map((name) => [name, { build }]));
    writeFileSync(path.join(docker, 'network.json'), JSON.stringify({ version: '2.4', services }));
    compose('--profile', 'redis', 'up', '--detach', '--build');
  }, 15 * MINUTE);

  afterAll(() => {
    spawnSync('docker-compose', [...FILES, '--project-name', NAME, 'down', '--volumes', '--rmi', 'local'], {
      cwd: docker,
    });
    return Promise.all(Object.values(IMAGES).map((image) => removeImage(image))).finally(() =>
      rmSync(folder, { recursive: true, force: true }),
    );
  }, 2 * MINUTE);

  it(
    'has every process healthy, and the staff CLI finds nothing wrong with what it needs',
    async () => {
      const ids = compose('ps', '--quiet').trim().split('\n');
      const states = () =>
        ids.map((id) =>
          execFileSync(
            'docker',
            ['inspect', '--format', '{{.Name}} {{with .State.Health}}{{.Status}}{{else}}none{{end}}', id],
            { encoding: 'utf8' },
          ).trim(),
        );
      const healthy = await eventually(
        () => Promise.resolve(states().filter((state) => state.endsWith(' healthy'))),
        ({ length }) => length === 6,
        MINUTE,
      );
      expect(healthy.map((state) => state.replace(`/${NAME}`, '').replace(/^[_-]|[_-]1 .*$/g, '')).sort()).toEqual([
        'caddy',
        'panel-api',
        'partner-api',
        'postgres',
        'redis',
        'worker',
      ]);
      // The queue is there, not in PostgreSQL.
      expect(Number(compose('exec', '-T', 'redis', 'redis-cli', 'dbsize'))).toBeGreaterThan(0);
      const doctor = compose('run', '--rm', '-T', 'cli', 'doctor');
      expect(doctor).toMatch(/engine +│ ok/);
    },
    2 * MINUTE,
  );

  it(
    'answers the first requests of a partner by HTTPS',
    () => {
      const partner = cli<{ id: string }>('partners', 'create', '--name', 'Northwind', '--type', 'hoster');
      const terms = [
        '--model',
        'per_instance_metered',
        '--currency',
        'EUR',
        '--unit-price-cents',
        '1000',
        '--valid-from',
        '2026-01-01',
      ];
      const contract = cli<{ id: string }>(
        'contracts',
        'create',
        '--partner',
        partner.id,
        '--reference',
        'A1',
        ...terms,
      );
      const { token } = cli<{ token: string }>(
        'tokens',
        'create',
        '--partner',
        partner.id,
        '--label',
        'first',
        '--scope',
        'write',
      );
      const host = 'partners.localhost';
      expect(ask(host, '/v1/me', { token })).toMatchObject({ status: 200, body: { name: 'Northwind' } });
      const customer = ask(host, '/v1/customers', { token, body: { name: 'Harbour Books' } });
      const wish = { customerId: customer.body.id, contractId: contract.id, edition: 'web-host' };
      expect(ask(host, '/v1/licenses', { token, body: wish })).toMatchObject({
        status: 201,
        body: { license: { state: 'active' } },
      });
    },
    2 * MINUTE,
  );

  it(
    'runs a service on the engine of the machine, under a domain',
    async () => {
      cli('users', 'create', '--email', 'ada@example.com', '--role', 'admin');
      const { key } = cli<{ key: string }>('keys', 'create', '--user', 'ada@example.com', '--name', 'first');
      const host = 'panel.localhost';
      const composeYaml = `services:\n  web:\n    image: ${IMAGES.web}\n    expose: ["8080"]\n`;
      const made = ask(host, '/api/v1/services', { token: key, body: { name: 'hello', composeYaml } });
      expect(made.status).toBe(202);
      const route = `/api/v1/services/${made.body.serviceId ?? made.body.id}`;
      const shown = () => Promise.resolve(ask(host, route, { token: key }).body as { status: string });
      expect(await eventually(shown, ({ status }) => ['running', 'error'].includes(status), MINUTE)).toMatchObject({
        status: 'running',
      });
      const domain = ask(host, `${route}/domains`, { token: key, body: { host: 'hello.apps.test' } });
      expect(domain).toMatchObject({ status: 201, body: { status: 'active' } });
      const isOnline = (text: string) => text === ONLINE;
      const page = () => Promise.resolve(ask('hello.apps.test', '/').text);
      expect(await eventually(page, isOnline, MINUTE)).toBe(ONLINE);
      // Caddy forgets the routes of services with its process; the worker writes them again.
      compose('restart', 'caddy');
      expect(await eventually(page, isOnline, MINUTE)).toBe(ONLINE);
      execFileSync('curl', [
        '-sk',
        '-X',
        'DELETE',
        '--resolve',
        `${host}:${httpsPort}:127.0.0.1`,
        `https://${host}:${httpsPort}${route}`,
        '-H',
        `Authorization: Bearer ${key}`,
      ]);
      await eventually(
        () => Promise.resolve(ask(host, route, { token: key }).status),
        (status) => status === 404,
        MINUTE,
      );
    },
    3 * MINUTE,
  );
});
