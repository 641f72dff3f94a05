import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { lookAgain } from '../../look-again.js';
import { ip } from './ip-command.js';
import { withoutMachineBridge } from './machine-bridge.js';

/** Why no separate engine can be started here. Null if one can. */
export function ownEngineDefect(): string | null {
  if (process.getuid?.() !== 0) return 'only root starts an engine';
  const missing = ['dockerd', 'containerd', 'ip'].filter((name) => spawnSync('which', [name]).status !== 0);
  return missing.length === 0 ? null : `${missing.join(' and ')} is not installed`;
}

/** A `describe` that needs a separate engine. If none can be started it is skipped, and with `CI=true` it fails. */
export function describeWithOwnEngine(name: string, define: () => void): void {
  const defect = ownEngineDefect();
  if (defect === null || process.env.CI === 'true') {
    describe(name, define);
    return;
  }
  process.stderr.write(`skipped: ${name}: ${defect}\n`);
  describe.skip(name, define);
}

/**
 * A separate Docker engine for one test, which the test can kill. containerd is a separate process, as under an init
 * system, so it survives the engine. The engine sets no firewall rules, so its containers cannot reach the internet.
 */
export class OwnEngine {
  #containerd: ChildProcess | null = null;
  #engine: ChildProcess | null = null;

  private constructor(
    private readonly folder: string,
    private readonly bridge: string | null,
  ) {}

  /**
   * @param settings content of its `daemon.json`
   * @param isWithoutBridge whether containers without a network in their options get none
   */
  static async start(settings: object = {}, isWithoutBridge = false): Promise<OwnEngine> {
    const folder = await mkdtemp(join(tmpdir(), 'own-engine-'));
    const engine = new OwnEngine(folder, isWithoutBridge ? null : `own-${basename(folder).slice(-6)}`);
    if (engine.bridge) makeBridge(engine.bridge);
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

  /** The bridge of the default network. '' if there is none. */
  get bridgeName(): string {
    return this.bridge ?? '';
  }

  /** A value for `DOCKER_HOST`. */
  get host(): string {
    return `unix://${this.#path('engine.sock')}`;
  }

  /** The files of the engine that contain this text, including layers, cache and settings. */
  filesWith(text: string): readonly string[] {
    const found = spawnSync(
      'grep',
      ['--recursive', '--text', '--files-with-matches', '--fixed-strings', text, this.folder],
      {
        encoding: 'utf8',
      },
    );
    return found.stdout.split('\n').filter(Boolean);
  }

  /** Starts the engine, even after it was killed. */
  async rise(): Promise<void> {
    await rm(this.#path('engine.pid'), { force: true });
    const options = {
      'config-file': this.#path('engine.json'),
      'data-root': this.#path('root'),
      'exec-root': this.#path('run'),
      pidfile: this.#path('engine.pid'),
      host: this.host,
      containerd: this.#path('containerd.sock'),
      bridge: this.bridge ?? 'none',
      iptables: 'false',
      ip6tables: 'false',
      'default-address-pool': 'base=10.213.0.0/16,size=28',
    };
    const given = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    await withoutMachineBridge(async () => {
      this.#engine = spawn('dockerd', given, { stdio: 'ignore' });
      await until(
        () => spawnSync('docker', ['--host', this.host, 'version'], { stdio: 'ignore' }).status === 0,
        'dockerd',
      );
    });
  }

  /** Stops the process, so that it accepts connections without answering, until `thaw`. */
  freeze(): void {
    this.#engine?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#engine?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    await ended(this.#engine, 'SIGKILL');
  }

  /** Removes the engine with its containers and files. */
  async remove(): Promise<void> {
    const left = spawnSync('docker', ['--host', this.host, 'ps', '--all', '--quiet'], { encoding: 'utf8' });
    const ids = (left.stdout ?? '').split('\n').filter(Boolean);
    if (ids.length > 0) spawnSync('docker', ['--host', this.host, 'rm', '--force', ...ids]);
    await ended(this.#engine, 'SIGTERM');
    await ended(this.#containerd, 'SIGTERM');
    if (this.bridge) run('link', 'delete', this.bridge);
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
    // Mounts of network namespaces and layers.
    for (const mount of mounts.filter((place) => place.startsWith(`${this.folder}/`)).reverse())
      spawnSync('umount', ['--lazy', mount], { stdio: 'ignore' });
    await rm(this.folder, { recursive: true, force: true });
  }

  #path(name: string): string {
    return join(this.folder, name);
  }
}

function makeBridge(name: string): void {
  run('link', 'add', name, 'type', 'bridge');
  run('address', 'add', `10.215.${randomInt(256)}.${16 * randomInt(16) + 1}/28`, 'dev', name);
  run('link', 'set', name, 'up');
}

function run(...options: readonly string[]): void {
  const defect = ip(...options);
  if (defect !== null) throw new Error(defect);
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
