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

/** A digest that looks like one of the engine. */
export function fakeDigest(of: string): string {
  return `sha256:${createHash('sha256').update(of).digest('hex')}`;
}

/** The state of the fake engine and the fake registry. */
export class FakeEngineState {
  /** In the registry, by `host/name:tag` and `host/name@digest`. */
  readonly published = new Map<string, FakeImage>();
  /** On the engine, by the same names. */
  readonly images = new Map<string, FakeImage>();
  readonly containers = new Map<string, FakeContainer>();
  readonly networks = new Map<string, OwnedNetwork>();
  readonly volumes = new Map<string, OwnedVolume>();
  /** Size of the data in a volume, by its name. */
  readonly volumeBytes = new Map<string, number>();
  /** Resources without our labels, as `container <name>`, `network <name>` or `volume <name>`. */
  readonly foreign = new Set<string>();
  /** Ports of 127.0.0.1 that are in use by someone else. */
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

  /** One of the names of the image on the engine, or its id if it has none. */
  nameOf(imageId: string): string {
    return [...this.images].find(([, { id }]) => id === imageId)?.[0] ?? imageId;
  }

  container(idOrName: string): FakeContainer | undefined {
    return this.containers.get(idOrName) ?? [...this.containers.values()].find(({ name }) => name === idOrName);
  }

  nameTaken(name: string): boolean {
    return this.foreign.has(`container ${name}`) || this.container(name) !== undefined;
  }

  /** The first host port of the container that is already in use. Null if all are free. */
  portInUse(container: FakeContainer): number | null {
    const held = [...this.containers.values()]
      .filter(({ id, lifecycle }) => id !== container.id && lifecycle === 'running')
      .flatMap(({ spec }) => spec.plan.ports.map(({ hostPort }) => hostPort));
    const wanted = container.spec.plan.ports.map(({ hostPort }) => hostPort);
    return wanted.find((port) => this.occupiedPorts.has(port) || held.includes(port)) ?? null;
  }

  /** Whether `host` is an alias of a running container on a network that the given container has joined too. */
  reaches(containerId: string, host: string): boolean {
    const from = this.containers.get(containerId);
    return [...this.containers.values()].some(
      ({ lifecycle, networks }) =>
        lifecycle === 'running' &&
        [...networks].some(([network, aliases]) => aliases.includes(host) && from?.networks.has(network)),
    );
  }
}
