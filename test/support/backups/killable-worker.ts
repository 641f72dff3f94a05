import pg from 'pg';
import type { PanelProcess } from '../services/panel-process.js';
import type { PanelWithWorker } from '../services/panel-with-worker.js';

/** The only worker of a panel, as a process that can be killed. */
export class KillableWorker {
  private constructor(
    private readonly panel: PanelWithWorker,
    private readonly database: pg.Client,
    private process: PanelProcess,
  ) {}

  /** Replaces the workers that run in the process of the test. */
  static async start(panel: PanelWithWorker): Promise<KillableWorker> {
    await panel.stopWorkers();
    const process = await panel.startWorkerProcess();
    const database = new pg.Client({ connectionString: panel.api.database.url });
    await database.connect();
    return new KillableWorker(panel, database, process);
  }

  /**
   * Kills the worker, expires its leases and starts another one.
   * @param meanwhile called while no worker is running
   */
  async kill(meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    await this.process.end('SIGKILL');
    await meanwhile();
    for (const table of ['backups', 'restores', 'wal_leases'])
      await this.database.query(`update backups.${table} set leased_until = now() where leased_until is not null`);
    this.process = await this.panel.startWorkerProcess();
  }

  async replace(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.process.end();
    this.process = await this.panel.startWorkerProcess(settings);
  }

  /** Ends the process and starts a worker in the process of the test again, which the panel closes. */
  async close(): Promise<void> {
    await this.process.end();
    await this.database.end();
    await this.panel.startWorker();
  }
}
