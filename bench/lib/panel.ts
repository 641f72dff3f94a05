import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { Program } from './program.js';

const run = promisify(execFile);

interface PanelOptions {
  readonly root: string;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly secretsKeys: string;
}

/** How a row wants its panel to be started. */
export interface PanelWishes {
  /** Defaults to a free one. */
  readonly port?: number;
  readonly withWorker?: boolean;
  /** Additional environment of the processes. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The built panel API, with or without a worker, each in its own process. */
export class Panel {
  private constructor(
    readonly port: number,
    readonly key: string,
    /** A command of the staff CLI. @returns what it prints */
    readonly cli: StaffCli,
    private readonly programs: readonly Program[],
  ) {}

  static async start({ root, folder, databaseUrl, secretsKeys }: PanelOptions, wishes: PanelWishes): Promise<Panel> {
    const port = wishes.port ?? (await freePort());
    const [metricsPort, workerPort] = [await freePort(), await freePort()];
    const env = {
      DATABASE_URL: databaseUrl,
      SECRETS_KEYS: secretsKeys,
      PANEL_INSTANCE: `bench-${process.pid}`,
      PANEL_API_PORT: String(port),
      PANEL_METRICS_PORT: String(metricsPort),
      WORKER_METRICS_PORT: String(workerPort),
      ...wishes.settings,
    };
    const start = (name: 'panel-api' | 'worker', ofPort: number) =>
      Program.start({
        file: path.join(root, `dist/apps/${name}/src/main.js`),
        env,
        port: ofPort,
        path: '/readyz',
        log: path.join(folder, `${name}.log`),
      });
    const programs = [await start('panel-api', port)];
    if (wishes.withWorker) programs.push(await start('worker', workerPort));
    const cli = staffCli(root, env);
    return new Panel(port, await keyOfNewUser(cli, 'admin'), cli, programs);
  }

  get api(): Program {
    return this.programs[0]!;
  }

  get worker(): Program {
    return this.programs[1]!;
  }

  async call(method: string, route: string, body?: object): Promise<{ readonly status: number; readonly body: any }> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/api/v1${route}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : undefined,
    });
    return { status: answer.status, body: answer.status === 204 ? null : await answer.json() };
  }

  /** @returns seconds from the request until the service is seen running, and its id */
  async deploy(composeYaml: string): Promise<{ readonly id: string; readonly seconds: number }> {
    const startedAt = performance.now();
    const name = `bench ${randomBytes(6).toString('hex')}`;
    const { status, body } = await this.call('POST', '/services', { name, composeYaml });
    if (status !== 202) throw new Error(`refused: ${JSON.stringify(body)}`);
    const id = body.serviceId as string;
    await this.until(id, 'running');
    return { id, seconds: (performance.now() - startedAt) / 1000 };
  }

  /** @returns the key of a new user in the organisation */
  keyOfCustomer(organisationId: string): Promise<string> {
    return keyOfNewUser(this.cli, 'customer', organisationId);
  }

  /** Deletes the service, with its backups, and waits until it is gone. */
  async remove(id: string): Promise<void> {
    await this.call('DELETE', `/services/${id}?backups=delete`);
    await this.until(id, 'gone');
  }

  async stop(): Promise<void> {
    for (const program of [...this.programs].reverse()) await program.stop();
  }

  /** Waits for a status. `gone` means that the service no longer exists. @throws Error if its status becomes `error` */
  async until(id: string, wanted: string): Promise<void> {
    for (;;) {
      const { status, body } = await this.call('GET', `/services/${id}`);
      const seen = status === 404 ? 'gone' : (body.status as string);
      if (seen === wanted) return;
      if (seen === 'error') throw new Error(`the service ${id} failed`);
      await pause(10);
    }
  }
}

type StaffCli = (...args: string[]) => Promise<any>;

function staffCli(root: string, env: Readonly<Record<string, string>>): StaffCli {
  const program = ['--heap-growing-percent=20', path.join(root, 'dist/apps/cli/src/main.js')];
  return async (...args) => {
    const options = { env: { PATH: process.env.PATH, ...env } };
    return JSON.parse((await run(process.execPath, [...program, ...args, '--json'], options)).stdout);
  };
}

/** With a rate limit too high to matter. @param organisationId of which the user is a member, if any */
async function keyOfNewUser(cli: StaffCli, role: string, organisationId?: string): Promise<string> {
  const email = `bench-${randomBytes(4).toString('hex')}@example.com`;
  await cli('users', 'create', '--email', email, '--role', role);
  if (organisationId) await cli('members', 'add', '--user', email, '--org', organisationId, '--role', role);
  const made = await cli('keys', 'create', '--user', email, '--name', 'bench', '--rate-limit-rpm', '1000000');
  return made.key as string;
}
