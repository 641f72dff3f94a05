import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { lookAgain } from '../look-again.js';

/** Why no engine of our own can be started here; null when one can. */
export function ownEngineDefect(): string | null {
  if (process.getuid?.() !== 0) return 'only root starts an engine';
  const missing = ['dockerd', 'containerd', 'ip'].filter((name) => spawnSync('which', [name]).status !== 0);
  return missing.length === 0 ? null : `${missing.join(' and ')} is not installed`;
}

/**
 * A Docker engine of the test's own, with its own images and containers, to be killed at will. containerd runs apart
 * from it, as it does under an init system: it survives the engine. Firewall rules are left to the machine's engine,
 * so containers cannot reach the outside. Its bridge is its own: an engine without one deletes `docker0` of the machine.
 */
export class OwnEngine {
  #containerd: ChildProcess | null = null;
  #engine: ChildProcess | null = null;

  private constructor(
    private readonly folder: string,
    private readonly bridge: string,
  ) {}

  /** @param settings of its `daemon.json` */
  static async start(settings: object = {}): Promise<OwnEngine> {
    const folder = await mkdtemp(join(tmpdir(), 'own-engine-'));
    const engine = new OwnEngine(folder, `own-${basename(folder).slice(-6)}`);
    ip('link', 'add', engine.bridge, 'type', 'bridge');
    ip('address', 'add', `10.215.${randomInt(256)}.${16 * randomInt(16) + 1}/28`, 'dev', engine.bridge);
    ip('link', 'set', engine.bridge, 'up');
    await mkdir(engine.#path('root'));
    await writeFile(engine.#path('engine.json'), JSON.stringify(settings));
    await writeFile(
      engine.#path('containerd.toml'),
      [
        'version = 2',
        `root = "${engine.#path('containerd')}"`,
        `state = "${engine.#path('containerd-state')}"`,
        'disabled_plugins = ["io.containerd.grpc.v1.cri"]',
        `[grpc]\naddress = "${engine.#path('containerd.sock')}"`,
      ].join('\n'),
    );
    engine.#containerd = spawn('containerd', ['--config', engine.#path('containerd.toml')], { stdio: 'ignore' });
    await until(() => existsSync(engine.#path('containerd.sock')), 'containerd');
    await engine.rise();
    return engine;
  }

  /** As in `DOCKER_HOST`. */
  get host(): string {
    return `unix://${this.#path('engine.sock')}`;
  }

  /** Starts the engine, also after it was killed. */
  async rise(): Promise<void> {
    await rm(this.#path('engine.pid'), { force: true });
    const options = {
      'config-file': this.#path('engine.json'),
      'data-root': this.#path('root'),
      'exec-root': this.#path('run'),
      pidfile: this.#path('engine.pid'),
      host: this.host,
      containerd: this.#path('containerd.sock'),
      bridge: this.bridge,
      iptables: 'false',
      ip6tables: 'false',
      'default-address-pool': 'base=10.213.0.0/16,size=28',
    };
    const given = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    this.#engine = spawn('dockerd', given, { stdio: 'ignore' });
    await until(
      () => spawnSync('docker', ['--host', this.host, 'version'], { stdio: 'ignore' }).status === 0,
      'dockerd',
    );
  }

  /** It accepts connections, and says nothing until it is thawed. */
  freeze(): void {
    this.#engine?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#engine?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    await ended(this.#engine, 'SIGKILL');
  }

  /** Containers go with it, and everything that it wrote. */
  async remove(): Promise<void> {
    const left = spawnSync('docker', ['--host', this.host, 'ps', '--all', '--quiet'], { encoding: 'utf8' });
    const ids = (left.stdout ?? '').split('\n').filter(Boolean);
    if (ids.length > 0) spawnSync('docker', ['--host', this.host, 'rm', '--force', ...ids]);
    await ended(this.#engine, 'SIGTERM');
    await ended(this.#containerd, 'SIGTERM');
    ip('link', 'delete', this.bridge);
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
    // Namespaces of networks, and the folder of the layers.
    for (const mount of mounts.filter((place) => place.startsWith(`${this.folder}/`)).reverse())
      spawnSync('umount', ['--lazy', mount], { stdio: 'ignore' });
    await rm(this.folder, { recursive: true, force: true });
  }

  #path(name: string): string {
    return join(this.folder, name);
  }
}

function ip(...options: readonly string[]): void {
  const { status, stderr } = spawnSync('ip', options, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${options.join(' ')}: ${stderr}`);
}

async function ended(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

async function until(isReady: () => boolean, what: string): Promise<void> {
  const since = Date.now();
  while (!isReady()) {
    if (Date.now() - since > 20_000) throw new Error(`${what} is not ready within 20 s`);
    await lookAgain(Date.now() - since);
  }
}
