import pg from 'pg';
import { cli } from '../processes/cli.js';
import { databaseDump } from '../database-dump.js';
import { eventually } from '../docker/eventually.js';
import { freePort } from '../free-port.js';
import { SECRETS_KEY } from '../panel-api.js';
import { TcpGate } from '../http/tcp-gate.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { startPanelProcess, type PanelProcess } from './panel-process.js';

/** A panel API and workers as separate processes, whose connection to the database can be cut. */
export class PanelInstallation {
  readonly #processes: PanelProcess[] = [];
  readonly #sql: pg.Client;

  private constructor(
    private readonly database: TestDatabase,
    readonly gate: TcpGate,
    private readonly env: Readonly<Record<string, string>>,
    /** API key of an administrator. */
    readonly key: string,
  ) {
    this.#sql = new pg.Client({ connectionString: database.url });
  }

  static async start(env: Readonly<Record<string, string>>): Promise<PanelInstallation> {
    const database = await createTestDatabase();
    const direct = new URL(database.url);
    const gate = new TcpGate({ host: direct.hostname, port: Number(direct.port) });
    await gate.open();
    const gated = new URL(database.url);
    gated.port = String(gate.port);
    await cli(database.url, ['users', 'create', '--email', 'a@example.com', '--role', 'admin']);
    const limits = ['--rate-limit-rpm', '1000000'];
    const made = await cli(database.url, [
      'keys',
      'create',
      '--user',
      'a@example.com',
      '--name',
      'k',
      ...limits,
      '--json',
    ]);
    const ports = { PANEL_API_PORT: String(await freePort()), PANEL_METRICS_PORT: String(await freePort()) };
    const settings = { DATABASE_URL: gated.href, SECRETS_KEYS: SECRETS_KEY, LOG_LEVEL: 'warn', ...ports, ...env };
    const { key } = JSON.parse(made.stdout) as { key: string };
    const panel = new PanelInstallation(database, gate, settings, key);
    await panel.#sql.connect();
    return panel;
  }

  /** @param changed settings that differ from those of the installation */
  async startApi(changed: Readonly<Record<string, string>> = {}): Promise<PanelProcess> {
    return this.#keep(await startPanelProcess('panel-api', { ...this.env, ...changed }, `${this.url}/readyz`));
  }

  async startWorker(changed: Readonly<Record<string, string>> = {}): Promise<PanelProcess> {
    const port = String(await freePort());
    const env = { ...this.env, ...changed, WORKER_METRICS_PORT: port };
    return this.#keep(await startPanelProcess('worker', env, `http://127.0.0.1:${port}/readyz`));
  }

  /** Sends a request as an administrator. @throws if the API does not respond */
  async call(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: any }> {
    const answer = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : undefined,
    });
    return { status: answer.status, body: await answer.json() };
  }

  async create(name: string, composeYaml: string): Promise<string> {
    const { status, body } = await this.call('POST', '/services', { name, composeYaml });
    if (status !== 202) throw new Error(JSON.stringify(body));
    return body.serviceId as string;
  }

  /** Newest first. */
  async deployments(id: string): Promise<any[]> {
    return (await this.call('GET', `/services/${id}/deployments`)).body.data as any[];
  }

  untilStep(id: string, name: string): Promise<unknown> {
    return eventually(
      () => this.deployments(id),
      ([newest]) => newest.steps.some((step: { name: string }) => step.name === name),
      20_000,
    );
  }

  /** Waits until the service is running without an open deployment. */
  untilRunning(id: string): Promise<unknown> {
    return eventually(
      async () => {
        const { status } = (await this.call('GET', `/services/${id}`)).body;
        return { status, deployments: await this.deployments(id) };
      },
      ({ status, deployments }) => status === 'running' && deployments.every(({ finishedAt }) => finishedAt !== null),
      90_000,
    );
  }

  /** Expires all leases. */
  async endLeases(): Promise<void> {
    await this.#sql.query("update services.services set lease_expires_at = now() - interval '1 second'");
    await this.#sql.query("update analysis.analyses set leased_until = now() - interval '1 second'");
  }

  /** Every row of its database. */
  dump(): Promise<string> {
    return databaseDump(this.database.url);
  }

  /** The output of all its processes, including those that have exited. */
  output(): string {
    return this.#processes.map((one) => one.output()).join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.map((one) => one.end('SIGKILL')));
    await this.#sql.end();
    await this.gate.cut();
    await this.database.drop();
  }

  get url(): string {
    return `http://127.0.0.1:${this.env['PANEL_API_PORT']}`;
  }

  #keep(process: PanelProcess): PanelProcess {
    this.#processes.push(process);
    return process;
  }
}
