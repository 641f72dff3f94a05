import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../free-port.js';
import { takeTurn } from '../../turn.js';
import { OwnEngine } from './own-engine.js';

/** Every swarm uses a bridge of this name, so only one swarm can exist on a machine. */
const BRIDGE = 'docker_gwbridge';
const MAX_WAIT_MS = 240_000;

/**
 * The `daemon.json` of a node in the panel's swarm (docs/scaling.md). The label `panel.bridge=none` is for containers
 * without a network, which only tests have.
 */
const SETTINGS = {
  'no-new-privileges': true,
  labels: ['panel.no-new-privileges=true', 'panel.bridge=none'],
};

/** A separate engine in a separate swarm. Only one at a time can exist on this machine. */
export class SwarmEngine {
  #worker: OwnEngine | null = null;

  private constructor(
    readonly engine: OwnEngine,
    private readonly address: string,
    private readonly endTurn: () => void,
  ) {}

  static async start(): Promise<SwarmEngine> {
    const endTurn = await takeTurn('swarm-engine', MAX_WAIT_MS);
    const engine = await OwnEngine.start(SETTINGS, true);
    const [address, data] = [`127.0.0.1:${await freePort()}`, await freePort()];
    const swarm = new SwarmEngine(engine, address, endTurn);
    swarm.#docker(
      ['swarm', 'init', '--advertise-addr', '127.0.0.1', '--listen-addr', address].concat(
        ['--data-path-port', String(data)],
        ['--default-addr-pool', '10.214.0.0/16', '--default-addr-pool-mask-length', '28'],
      ),
    );
    return swarm;
  }

  get host(): string {
    return this.engine.host;
  }

  /** @returns the engine of a second node, before it joins */
  async startWorker(): Promise<OwnEngine> {
    this.#worker = await OwnEngine.start(SETTINGS, true);
    return this.#worker;
  }

  /** Lets the second node join the swarm, with another loopback address. */
  async joinWorker(): Promise<void> {
    const token = this.#docker(['swarm', 'join-token', '--quiet', 'worker']).trim();
    const listen = `127.0.0.2:${await freePort()}`;
    this.#docker(
      ['swarm', 'join', '--token', token, '--advertise-addr', '127.0.0.2', '--listen-addr', listen, this.address],
      this.#worker!.host,
    );
  }

  /** @param takesTasks false to drain the first node: its tasks move away, and no new ones are scheduled there */
  useManager(takesTasks: boolean): void {
    const id = this.#docker(['info', '--format', '{{.Swarm.NodeID}}']).trim();
    this.#docker(['node', 'update', '--availability', takesTasks ? 'active' : 'drain', id]);
  }

  /** Removes the swarm with its services, networks, containers and engines. */
  async remove(): Promise<void> {
    try {
      for (const id of this.#docker(['service', 'ls', '--quiet']).split('\n').filter(Boolean))
        this.#docker(['service', 'rm', id]);
      for (const engine of [this.#worker, this.engine]) if (engine) await leave(engine);
    } finally {
      await this.#worker?.remove();
      await this.engine.remove();
      this.endTurn();
    }
  }

  #docker(options: readonly string[], host = this.host): string {
    const { status, stdout, stderr } = spawnSync('docker', ['--host', host, ...options], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`docker ${options.join(' ')}: ${stderr}`);
    return stdout;
  }
}

/** Leaves the swarm and removes its bridge, which is possible once no container is connected to it. */
async function leave({ host }: OwnEngine): Promise<void> {
  const docker = (...options: string[]) => spawnSync('docker', ['--host', host, ...options], { encoding: 'utf8' });
  docker('swarm', 'leave', '--force');
  const deadline = Date.now() + 10_000;
  for (;;) {
    const { status, stderr } = docker('network', 'rm', BRIDGE);
    if (status === 0 || /No such network|not found/.test(stderr)) return;
    if (Date.now() > deadline) throw new Error(`${BRIDGE} cannot be removed: ${stderr}`);
    const left = docker('ps', '--all', '--quiet').stdout.split('\n').filter(Boolean);
    if (left.length > 0) docker('rm', '--force', '--volumes', ...left);
    await delay(100);
  }
}
