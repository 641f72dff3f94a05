import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { fillDatabase } from '../seed/fill-database.js';
import { freePort } from './free-port.js';
import { Panel, type PanelWishes } from './panel.js';
import { Program } from './program.js';

export interface BenchOptions {
  readonly root: string;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly rows: readonly string[];
  readonly scale: number;
  readonly seconds: number;
  readonly rounds: number;
  /** Of rows in the PostgreSQL that the backup rows back up. */
  readonly backupMb: number;
  readonly json: boolean;
  readonly list: boolean;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

const NO_LIMIT = '1000000000';

/** Shared by the rows: the filled database, the product and the baseline servers, each started on first use. */
export class Stage {
  readonly pool: pg.Pool;
  /** One key ring for all processes, so that each can open what another sealed. */
  private readonly secretsKeys = `k1:${randomBytes(32).toString('base64')}`;
  private readonly programs = new Map<string, Promise<Program>>();
  private filled: Promise<void> | null = null;

  constructor(readonly options: BenchOptions) {
    this.pool = new pg.Pool({ connectionString: options.databaseUrl, max: 16 });
    this.pool.on('error', () => undefined); // an idle connection that the ending server closed
  }

  /** 1,000 partners five levels deep with, at scale 1, 1,000,000 licenses. */
  fill(): Promise<void> {
    return (this.filled ??= fillDatabase(this.pool, this.options.scale, this.options.say));
  }

  /** The built partner API, as one process. */
  partnerApi(): Promise<Program> {
    return this.program('partner-api', () => this.startPartnerApi());
  }

  /**
   * A new process of the partner API, which the caller stops.
   * @param file another program that serves it
   * @param databaseUrl another database than the filled one
   */
  async startPartnerApi(
    file = 'dist/apps/partner-api/src/main.js',
    databaseUrl = this.options.databaseUrl,
  ): Promise<Program> {
    const port = await freePort();
    return Program.start({
      file: path.join(this.options.root, file),
      env: {
        DATABASE_URL: databaseUrl,
        SECRETS_KEYS: this.secretsKeys,
        PARTNER_API_PORT: String(port),
        PARTNER_METRICS_PORT: String(await freePort()),
        PC_RATE_RPS: NO_LIMIT,
        PC_RATE_BURST: NO_LIMIT,
        PC_AUTHFAIL_RPS: NO_LIMIT,
      },
      port,
      path: '/readyz',
      log: this.log('partner-api'),
    });
  }

  /** A panel with an admin's key, which the caller stops. */
  startPanel(wishes: PanelWishes): Promise<Panel> {
    const { root, folder, databaseUrl } = this.options;
    return Panel.start({ root, folder, databaseUrl, secretsKeys: this.secretsKeys }, wishes);
  }

  /** A server of bench/baselines by the name of its file. */
  baseline(name: string): Promise<Program> {
    return this.program(name, () => this.startBaseline(name));
  }

  async startBaseline(name: string): Promise<Program> {
    const port = await freePort();
    const env = { DATABASE_URL: this.options.databaseUrl, PORT: String(port) };
    const file = path.join(this.options.root, 'dist', 'bench', 'baselines', `${name}.js`);
    return Program.start({ file, env, port, path: '/ready', log: this.log(name) });
  }

  async end(): Promise<void> {
    const programs = await Promise.allSettled([...this.programs.values()]);
    const running = programs.filter((program) => program.status === 'fulfilled');
    await Promise.all(running.map((program) => program.value.stop()));
    await this.pool.end();
  }

  private program(name: string, start: () => Promise<Program>): Promise<Program> {
    const running = this.programs.get(name) ?? start();
    this.programs.set(name, running);
    return running;
  }

  private log(name: string): string {
    return path.join(this.options.folder, `${name}.log`);
  }
}
