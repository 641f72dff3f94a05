import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CaddyAdmin, type CaddyEndpoint } from '../../../libs/services/src/infrastructure/caddy/caddy-admin.js';
import { eventually } from '../docker/eventually.js';
import { freePort } from '../free-port.js';
import { migrateConnections } from './connection-migration.js';

const INSTALLED = spawnSync('caddy', ['version']).status === 0;

/** A `describe` that needs Caddy. Without Caddy it is skipped with the reason. On CI it fails instead. */
export function describeWithCaddy(name: string, tests: () => void): void {
  if (INSTALLED || process.env.CI === 'true') {
    describe(name, tests);
    return;
  }
  console.warn(`skipped: ${name} (caddy is not installed)`);

  describe.skip(`${name} (caddy is not installed)`, () => it('needs caddy', () => {}));
}

/** A Caddy process for one test, on free ports and with a temporary folder. */
export class CaddyServer {
  private child: ChildProcess | null = null;
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'tenantry-caddy-'));
  private said = '';
  /** Whether the process has exited by itself. */
  hasCrashed = false;

  private constructor(
    readonly adminPort: number,
    readonly httpPort: number,
    readonly httpsPort: number,
    private readonly socket: boolean,
    private readonly config: object,
  ) {}

  /** @param given `config`: additional parts of the initial configuration; `socket`: the admin API is a Unix socket */
  static async start(given: { socket?: boolean; config?: (ports: number[]) => object } = {}): Promise<CaddyServer> {
    migrateConnections();
    const ports = [await freePort(), await freePort(), await freePort()];
    const [admin, http, https] = ports as [number, number, number];
    const server = new CaddyServer(admin, http, https, given.socket ?? false, given.config?.(ports) ?? {});
    await server.start();
    return server;
  }

  get endpoint(): CaddyEndpoint {
    return this.socket ? { socketPath: this.socketPath } : { url: new URL(this.adminUrl) };
  }

  get adminUrl(): string {
    return this.socket ? `unix://${this.socketPath}` : `http://127.0.0.1:${this.adminPort}`;
  }

  /** The settings of a panel that uses this Caddy. */
  get settings(): Record<string, string> {
    return {
      CADDY_ADMIN_URL: this.adminUrl,
      INGRESS_HTTP_PORT: String(this.httpPort),
      INGRESS_HTTPS_PORT: String(this.httpsPort),
      INGRESS_TLS: 'internal',
    };
  }

  /** The root certificate of its internal authority. It exists once a certificate was requested. */
  rootCertificate(): string {
    return readFileSync(path.join(this.folder, 'data/caddy/pki/authorities/local/root.crt'), 'utf8');
  }

  /** @param keepsConfig false to start without the configuration that Caddy has stored */
  async start(keepsConfig = true): Promise<void> {
    const file = path.join(this.folder, 'caddy.json');
    const listen = this.socket ? `unix/${this.socketPath}` : `127.0.0.1:${this.adminPort}`;
    writeFileSync(file, JSON.stringify({ admin: { listen }, ...this.config }));
    const env = {
      ...process.env,
      HOME: this.folder,
      XDG_CONFIG_HOME: path.join(this.folder, 'config'),
      XDG_DATA_HOME: path.join(this.folder, 'data'),
    };
    const args = ['run', '--config', file, ...(keepsConfig ? ['--resume'] : [])];
    this.child = spawn('caddy', args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    this.child.stderr!.on('data', (chunk: Buffer) => (this.said = (this.said + chunk.toString()).slice(-2_000)));
    const admin = new CaddyAdmin(this.endpoint);
    const answers = () =>
      admin.read().then(
        ({ status }) => status,
        () => 0,
      );
    await eventually(answers, (status) => status === 200).catch((error: Error) => {
      throw new Error(`${error.message}\n${this.said}`);
    });
  }

  async kill(): Promise<void> {
    const child = this.child;
    this.child = null;
    if (!child) return;
    this.hasCrashed ||= child.exitCode !== null;
    const ended = child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : null;
    child.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get socketPath(): string {
    return path.join(this.folder, 'admin.sock');
  }
}
