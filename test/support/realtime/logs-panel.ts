import { anAdminKey } from '../builders/a-panel-user.js';
import { containerLog } from '../docker/container-log.js';
import { EngineProxy } from '../docker/engine-proxy.js';
import { eventually } from '../docker/eventually.js';
import { makeImage, removeImage } from '../docker/images.js';
import { freePort } from '../free-port.js';
import { SECRETS_KEY } from '../panel-api.js';
import { startPanelProcess, type PanelProcess } from '../services/panel-process.js';
import { startPanelWithWorker, type PanelWithWorker } from '../services/panel-with-worker.js';
import { writers } from './log-writer.js';
import { SocketClient, type SocketOptions } from './socket-client.js';

const IMAGE = 'test-realtime:1';
const INSTANCE = `realtime-${process.pid}`;
const SLOWEST_MS = 20_000;

/** Another process of the API with the same database and engine. */
export interface OtherPanel extends PanelProcess {
  readonly url: string;
}

/** A panel with services that write lines on demand, and an engine whose connections can be cut. */
export class LogsPanel {
  readonly #clients: SocketClient[] = [];
  readonly #others: PanelProcess[] = [];

  private constructor(
    readonly proxy: EngineProxy,
    readonly panel: PanelWithWorker,
    /** API key of an administrator. */
    readonly key: string,
  ) {}

  static async start(): Promise<LogsPanel> {
    await makeImage(IMAGE);
    const proxy = await EngineProxy.create();
    await proxy.open();
    const panel = await startPanelWithWorker({ dockerHost: proxy.host, instance: INSTANCE });
    await panel.startWorker();
    return new LogsPanel(proxy, panel, await anAdminKey(panel.api.app));
  }

  /** Creates a service whose containers wait for `writeLines`. */
  async create(name: string, containers: readonly string[]): Promise<string> {
    const composeYaml = writers(IMAGE, containers);
    const answer = await this.panel.admin.post('/api/v1/services', { name, composeYaml });
    if (answer.status !== 202) throw new Error(answer.text);
    const id = answer.body.serviceId as string;
    await this.panel.until(id, 'running');
    await this.panel.untilOver(id);
    return id;
  }

  async containersOf(id: string): Promise<string[]> {
    return (await this.panel.admin.get(`/api/v1/services/${id}`)).body.containerIds as string[];
  }

  async greeted(url = this.panel.api.url, options: SocketOptions = { key: this.key }): Promise<SocketClient> {
    const client = await SocketClient.greeted(url, options);
    this.#clients.push(client);
    return client;
  }

  async closeSockets(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
  }

  async startOther(): Promise<OtherPanel> {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const env = {
      DATABASE_URL: this.panel.api.database.url,
      SECRETS_KEYS: SECRETS_KEY,
      DOCKER_HOST: this.proxy.host,
      PANEL_INSTANCE: INSTANCE,
      LOG_LEVEL: 'warn',
      PANEL_API_PORT: port,
      PANEL_METRICS_PORT: String(await freePort()),
    };
    const started = await startPanelProcess('panel-api', env, `${url}/readyz`);
    this.#others.push(started);
    return Object.assign(started, { url });
  }

  async close(): Promise<void> {
    await this.closeSockets();
    await Promise.all(this.#others.map((other) => other.end()));
    await this.panel.close();
    await this.proxy.close();
    await removeImage(IMAGE);
  }
}

/** Waits until a container has written at least this many lines. @returns its log */
export function untilQuiet(containerId: string, lines: number): ReturnType<typeof containerLog> {
  return eventually(
    () => containerLog(containerId),
    ({ length }) => length >= lines,
    SLOWEST_MS,
  );
}

/** Waits until a client has received at least this many lines. @returns how many it has received */
export function untilLines(client: SocketClient, count: number): Promise<number> {
  return eventually(
    () => Promise.resolve(client.of('service.log').length),
    (length) => length >= count,
    SLOWEST_MS,
  );
}
