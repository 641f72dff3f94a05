import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import { StoredLayers } from './stored-layers.js';

/** A registry on the loopback interface, which engines trust without TLS. */
export interface TestRegistry {
  /** `127.0.0.1:port`, the first part of an image reference. */
  readonly host: string;
  /**
   * Gives the registry layers that another registry of the tests got before, so that the engine does not compress and
   * send them again. @param kept a folder from `keepLayers`, which may not exist yet
   */
  offerLayers(repository: string, kept: string): Promise<void>;
  /** Keeps the layers of an image in a folder, unless it exists. */
  keepLayers(reference: string, kept: string): Promise<void>;
  /** Deletes the data of the layers of an image, but not its manifest. */
  loseLayers(reference: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts `docker-registry` (Debian: docker-registry) with an empty store in a temporary folder.
 * @param options.refuseAnonymous answers 401 to every request without credentials
 * @param options.port fixed port, for a registry that is started again
 */
export async function startRegistry(options: { refuseAnonymous?: boolean; port?: number } = {}): Promise<TestRegistry> {
  const port = options.port ?? (await freePort());
  const folder = await mkdtemp(join(tmpdir(), 'test-registry-'));
  const settings = join(folder, 'config.yml');
  await writeFile(join(folder, 'htpasswd'), `${REGISTRY_LOGIN.username}:${PASSWORD_HASH}\n`);
  await writeFile(settings, registrySettings(folder, port, options.refuseAnonymous ?? false));
  const child = spawn('docker-registry', ['serve', settings], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Error('docker-registry cannot be started', { cause: error })));
  });
  const host = `127.0.0.1:${port}`;
  await untilAnswering(host, child);
  const layers = new StoredLayers(join(folder, 'store/docker/registry/v2'));
  return {
    host,
    offerLayers: (repository, kept) => layers.offer(repository, kept),
    keepLayers: (reference, kept) => layers.keep(reference, kept),
    loseLayers: (reference) => layers.lose(reference),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The only account of a registry that refuses anonymous callers. */
export const REGISTRY_LOGIN = { username: 'test', password: 'test-password' };

const PASSWORD_HASH = '$2y$05$abcdefghijklmnopqrstuu34chBxBG/k9ApCErH1wl/WrV4FVTS/q';

async function untilAnswering(host: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`http://${host}/v2/`).catch(() => null);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`docker-registry does not answer at ${host}`);
}

function registrySettings(folder: string, port: number, refuseAnonymous: boolean): string {
  const settings = {
    version: 0.1,
    log: { level: 'error' },
    storage: { filesystem: { rootdirectory: join(folder, 'store') }, delete: { enabled: true } },
    http: { addr: `127.0.0.1:${port}` },
    ...(refuseAnonymous ? { auth: { htpasswd: { realm: 'test', path: join(folder, 'htpasswd') } } } : {}),
  };
  return JSON.stringify(settings);
}
