import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';

const INSTALLED = spawnSync('redis-server', ['--version']).status === 0;

/** A `describe` that needs Redis. Without Redis it is skipped with the reason. On CI it fails instead. */
export function describeWithRedis(name: string, tests: () => void): void {
  if (INSTALLED || process.env.CI === 'true') {
    describe(name, tests);
    return;
  }
  console.warn(`skipped: ${name} (redis-server is not installed)`);

  describe.skip(`${name} (redis-server is not installed)`, () => it('needs redis-server', () => {}));
}

/** A Redis server for one test. It can be stopped and started again on the same port. */
export class RedisServer {
  private child: ChildProcess | null = null;
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'tenantry-redis-'));
  private port = 0;

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.port ||= await freePort();
    const args = ['--port', String(this.port), '--dir', this.folder, '--save', '', '--maxmemory-policy', 'noeviction'];
    this.child = spawn('redis-server', args, { stdio: 'ignore' });
    const probe = new Redis(this.url, { lazyConnect: true, retryStrategy: () => 50 });
    probe.on('error', () => undefined);
    await probe.connect().catch(() => undefined);
    await probe.ping();
    probe.disconnect();
  }

  async stop(): Promise<void> {
    const child = this.child;
    this.child = null;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
