import { createHash } from 'node:crypto';
import type {
  ContainerSpec,
  LocalImage,
} from '../../../../libs/services/src/application/ports/engine/container-runtime.js';
import type {
  ContainerHealth,
  ContainerLifecycle,
  OwnedNetwork,
  OwnedVolume,
} from '../../../../libs/services/src/application/ports/engine/container-state.js';
import type { ImageContents } from '../images.js';

export interface FakeImage extends LocalImage {
  readonly contents: ImageContents;
}

export interface FakeFile {
  readonly text: string;
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

export interface FakeContainer {
  readonly id: string;
  readonly spec: ContainerSpec;
  readonly image: FakeImage;
  readonly files: Map<string, FakeFile>;
  readonly networks: Map<string, readonly string[]>;
  name: string;
  lifecycle: ContainerLifecycle;
  health: ContainerHealth;
  failingStreak: number;
  restartCount: number;
  exitCode: number | null;
  oomKilled: boolean;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** A name and a hash that look as the engine's own. */
export function fakeDigest(of: string): string {
  return `sha256:${createHash('sha256').update(of).digest('hex')}`;
}

/** What stands in memory where an engine and a registry would be. */
export class FakeEngineState {
  /** In the registry, by `host/name:tag` and `host/name@digest`. */
  readonly published = new Map<string, FakeImage>();
  /** On the engine, by the same names. */
  readonly images = new Map<string, FakeImage>();
  readonly containers = new Map<string, FakeContainer>();
  readonly networks = new Map<string, OwnedNetwork>();
  readonly volumes = new Map<string, OwnedVolume>();
  /** What lies in a volume, by its name. */
  readonly volumeBytes = new Map<string, number>();
  /** `container name`, `network name`: things without our labels. */
  readonly foreign = new Set<string>();
  /** Ports of 127.0.0.1 that someone else holds. */
  readonly occupiedPorts = new Set<number>();

  makeImage(contents: ImageContents, digest: string | null): FakeImage {
    const id = fakeDigest(`id ${JSON.stringify(contents)}`);
    return { id, digest, labels: new Map(Object.entries(contents.labels ?? {})), contents };
  }

  publish(reference: string, contents: ImageContents): string {
    const name = reference.slice(0, reference.lastIndexOf(':'));
    const digest = fakeDigest(`manifest ${name} ${JSON.stringify(contents)}`);
    const image = this.makeImage(contents, digest);
    this.published.set(reference, image).set(`${name}@${digest}`, image);
    return digest;
  }

  imageById(id: string): FakeImage | undefined {
    return [...this.images.values()].find((image) => image.id === id);
  }

  /** One of its names on the engine, else the id. */
  nameOf(imageId: string): string {
    return [...this.images].find(([, { id }]) => id === imageId)?.[0] ?? imageId;
  }

  container(idOrName: string): FakeContainer | undefined {
    return this.containers.get(idOrName) ?? [...this.containers.values()].find(({ name }) => name === idOrName);
  }

  nameTaken(name: string): boolean {
    return this.foreign.has(`container ${name}`) || this.container(name) !== undefined;
  }

  /** The host port of the container that nobody else may hold while it runs, if somebody does. */
  portInUse(container: FakeContainer): number | null {
    const held = [...this.containers.values()]
      .filter(({ id, lifecycle }) => id !== container.id && lifecycle === 'running')
      .flatMap(({ spec }) => spec.plan.ports.map(({ hostPort }) => hostPort));
    const wanted = container.spec.plan.ports.map(({ hostPort }) => hostPort);
    return wanted.find((port) => this.occupiedPorts.has(port) || held.includes(port)) ?? null;
  }

  /** Whether a name of the other container stands on a network that both have joined, and it runs. */
  reaches(containerId: string, host: string): boolean {
    const from = this.containers.get(containerId);
    return [...this.containers.values()].some(
      ({ lifecycle, networks }) =>
        lifecycle === 'running' &&
        [...networks].some(([network, aliases]) => aliases.includes(host) && from?.networks.has(network)),
    );
  }
}
