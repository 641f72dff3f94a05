import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Clock } from '#kernel/time/clock';
import { RealtimeLimits } from '../../../apps/panel-api/src/realtime/realtime-limits.js';
import { anAdminKey } from '../builders/a-panel-user.js';
import type { HttpClient } from '../http/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../panel-api.js';
import { SocketClient, type SocketOptions } from './socket-client.js';

const COMPOSE = 'services:\n  web:\n    image: nginx:1.27\n';

export const REALTIME_SETTINGS = {
  DOCKER_HOST: 'unix:///nowhere/docker.sock',
  WS_ALLOWED_ORIGINS: 'https://portal.example.com',
};

type Changeable<T> = { -readonly [K in keyof T]: T[K] };

/** The limits for new sockets. A test that changes them must restore them. */
export function limitsOf(app: INestApplicationContext): Changeable<RealtimeLimits> {
  return app.get<RealtimeLimits, Changeable<RealtimeLimits>>(RealtimeLimits);
}

/** A panel without an engine, with WebSocket clients that `closeSockets` closes. */
export class RealtimePanel {
  readonly #clients: SocketClient[] = [];
  #names = 0;

  private constructor(
    readonly api: RunningPanelApi,
    /** API key of an administrator. */
    readonly key: string,
    readonly admin: HttpClient,
  ) {}

  static async start(clock?: Clock): Promise<RealtimePanel> {
    const api = await startPanelApi({ settings: REALTIME_SETTINGS, clock });
    const key = await anAdminKey(api.app);
    return new RealtimePanel(api, key, api.as(key));
  }

  async open(options: SocketOptions = {}, url = this.api.url): Promise<SocketClient> {
    const client = await SocketClient.open(url, options);
    this.#clients.push(client);
    return client;
  }

  /** Opens a socket, as an administrator by default, and waits for `hello`. */
  async greeted(options: SocketOptions = { key: this.key }, url = this.api.url): Promise<SocketClient> {
    const client = await this.open(options, url);
    await client.next('hello');
    return client;
  }

  async create(given: object = {}): Promise<{ readonly serviceId: string; readonly deploymentId: string }> {
    this.#names += 1;
    const body = { name: `live ${this.#names}`, composeYaml: COMPOSE, ...given };
    const answer = await this.admin.post('/api/v1/services', body);
    if (answer.status !== 202) throw new Error(answer.text);
    return answer.body;
  }

  sql(text: string): Promise<unknown> {
    return this.api.app.get(DataSource).query(text);
  }

  async closeSockets(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
  }
}
