import {
  ContainerCreateFailed,
  ContainerStartFailed,
  PortConflict,
} from '../../../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import type {
  ContainerFile,
  ContainerSpec,
  CreatedContainer,
} from '../../../../libs/services/src/application/ports/engine/container-runtime.js';
import type {
  ContainerChange,
  ContainerDetails,
  ContainerHealth,
  DiskUse,
  OwnedContainer,
  OwnedVolume,
} from '../../../../libs/services/src/application/ports/engine/container-state.js';
import { fakeDigest, type FakeContainer, type FakeEngineState } from './fake-engine-state.js';
import type { FakeEvents } from './fake-events.js';

const KILLED = 137;
const TERMINATED = 143;

/** Containers in memory. The command decides what happens: `exit 3` exits with 3, and `/no/…` does not exist. */
export class FakeContainers {
  #made = 0;

  constructor(
    private readonly state: FakeEngineState,
    private readonly events: FakeEvents,
  ) {}

  owned(serviceId: string | null): OwnedContainer[] {
    return [...this.state.containers.values()]
      .filter(({ spec }) => serviceId === null || spec.owner.serviceId === serviceId)
      .map((container) => ({
        id: container.id,
        name: container.name,
        owner: container.spec.owner,
        imageId: container.spec.imageId,
        lifecycle: container.lifecycle,
      }));
  }

  diskUsage(): ReadonlyMap<string, DiskUse> {
    const containers = [...this.state.containers.values()];
    const volumes = [...this.state.volumes.values()];
    const ids = new Set([
      ...containers.map(({ spec }) => spec.owner.serviceId),
      ...volumes.map(({ serviceId }) => serviceId),
    ]);
    return new Map([...ids].map((id) => [id, this.#diskUse(id, containers, volumes)]));
  }

  create(spec: ContainerSpec): CreatedContainer {
    const standing = this.state.container(spec.name);
    const { owner } = spec;
    if (
      standing?.spec.owner.serviceId === owner.serviceId &&
      standing.spec.owner.deploymentId === owner.deploymentId &&
      standing.spec.owner.specHash === owner.specHash
    ) {
      return { id: standing.id, adopted: true };
    }
    if (this.state.nameTaken(spec.name)) throw nameTaken(spec.name);
    const image = this.state.imageById(spec.imageId);
    if (!image) throw new ContainerCreateFailed(`The container cannot be created: No such image: ${spec.imageId}`);
    const missing = spec.plan.networks.find(({ network }) => !this.state.networks.has(network));
    if (missing)
      throw new ContainerCreateFailed(`The container cannot be created: network ${missing.network} not found`);
    this.#made += 1;
    const container: FakeContainer = {
      id: fakeDigest(`container ${this.#made} ${spec.name}`).slice('sha256:'.length),
      spec,
      image,
      files: new Map(),
      networks: new Map(spec.plan.networks.map(({ network, aliases }) => [network, aliases])),
      name: spec.name,
      lifecycle: 'created',
      health: 'none',
      failingStreak: 0,
      restartCount: 0,
      exitCode: null,
      oomKilled: false,
      startedAt: null,
      finishedAt: null,
    };
    this.state.containers.set(container.id, container);
    this.#tell(container, 'created');
    return { id: container.id, adopted: false };
  }

  putFiles(containerId: string, files: readonly ContainerFile[]): void {
    const container = this.state.containers.get(containerId);
    if (!container) throw new ContainerCreateFailed('No such container.');
    for (const { path, content, uid, gid, mode } of files) {
      const parts = path.split('/').slice(1);
      if (!path.startsWith('/') || parts.some((part) => part === '' || part === '.' || part === '..')) {
        throw new ContainerCreateFailed(`A file's place in the container must be an absolute path, not ${path}.`);
      }
      container.files.set(path, { text: content.reveal(), uid, gid, mode });
    }
  }

  start(containerId: string): void {
    const container = this.state.containers.get(containerId);
    if (!container) throw new ContainerStartFailed('The container cannot start: No such container.');
    if (container.lifecycle === 'running') return;
    const port = this.state.portInUse(container);
    if (port !== null) throw new PortConflict(`The port 127.0.0.1:${port} is already in use.`);
    const command = this.#command(container);
    if (command.startsWith('/no/')) throw new ContainerStartFailed(`The container cannot start: ${command}: not found`);
    this.#run(container);
    const exit = /exit (\d+)/.exec(command);
    if (!exit) return;
    this.end(container.id, Number(exit[1]));
    const { name, maximumRetries } = container.spec.plan.restart;
    if (name === 'on-failure' && exit[1] !== '0') container.restartCount = maximumRetries;
  }

  /** Without an init process the command ignores the stop signal and is killed. */
  stop(containerId: string): void {
    const container = this.state.containers.get(containerId);
    if (container?.lifecycle !== 'running') return;
    this.end(containerId, container.spec.plan.init ? TERMINATED : KILLED);
  }

  rename(containerId: string, name: string): void {
    const container = this.state.containers.get(containerId);
    if (!container) throw new ContainerCreateFailed('No such container.');
    if (container.name === name) return;
    if (this.state.nameTaken(name)) throw nameTaken(name);
    container.name = name;
    this.#tell(container, 'renamed');
  }

  remove(containerId: string): void {
    const container = this.state.containers.get(containerId);
    if (!container) return;
    if (container.lifecycle === 'running') this.end(containerId, KILLED);
    this.state.containers.delete(containerId);
    this.#tell(container, 'removed');
  }

  details(idOrName: string): ContainerDetails | null {
    const container = this.state.container(idOrName);
    if (!container) return null;
    const { spec, image: _image, files: _files, networks, ...rest } = container;
    const probed = rest.health === 'healthy' || rest.health === 'unhealthy';
    const running = rest.lifecycle === 'running';
    return {
      ...rest,
      owner: spec.owner,
      imageId: spec.imageId,
      lastProbe: probed
        ? { at: new Date(), exitCode: rest.health === 'healthy' ? 0 : 1, output: this.#said(spec) }
        : null,
      error: null,
      publishedPorts: running ? spec.plan.ports.map((port) => ({ ...port })) : [],
      networks: [...networks.keys()].map((network) => ({
        network,
        ipAddress: running ? addressOf(container.id) : null,
      })),
      hostAddress: running && networks.size > 0 ? addressOf(container.id) : null,
    };
  }

  /** Simulates that the main process of the container exits. */
  end(containerId: string, exitCode: number, { oomKilled = false } = {}): void {
    const container = this.state.containers.get(containerId)!;
    Object.assign(container, { lifecycle: 'exited', exitCode, oomKilled, finishedAt: new Date() });
    this.#tell(container, 'died', { exitCode });
  }

  setHealth(containerId: string, health: ContainerHealth): void {
    const container = this.state.containers.get(containerId);
    if (container?.lifecycle !== 'running') return;
    container.health = health;
    container.failingStreak = health === 'unhealthy' ? 2 : 0;
    this.#tell(container, 'health', { health });
  }

  #diskUse(id: string, containers: readonly FakeContainer[], volumes: readonly OwnedVolume[]): DiskUse {
    const own = containers.filter(({ spec }) => spec.owner.serviceId === id);
    const others = containers.filter(({ spec }) => spec.owner.serviceId !== id).map(({ image }) => image.id);
    const written = ({ files }: FakeContainer) =>
      [...files.values()].reduce((total, { text }) => total + text.length, 0);
    const images = new Map(own.map(({ image }) => [image.id, this.state.nameOf(image.id)]));
    return {
      volumes: volumes
        .filter(({ serviceId }) => serviceId === id)
        .map(({ name }) => ({ name, bytes: this.state.volumeBytes.get(name) ?? 0 })),
      containers: own.map((container) => ({ id: container.id, writableBytes: written(container) })),
      images: [...images].map(([image, ref]) => ({ ref, bytes: 1_000_000, shared: others.includes(image) })),
    };
  }

  #run(container: FakeContainer): void {
    const test = this.#probe(container);
    Object.assign(container, { lifecycle: 'running', exitCode: null, startedAt: new Date(), finishedAt: null });
    container.health = test === null ? 'none' : 'starting';
    this.#tell(container, 'started');
    if (test !== null)
      setImmediate(() => this.setHealth(container.id, test.includes('false') ? 'unhealthy' : 'healthy'));
  }

  #command({ spec, image }: FakeContainer): string {
    return [...(spec.plan.entrypoint ?? []), ...(spec.plan.command ?? image.contents.command ?? [])].join(' ');
  }

  #probe({ spec, image }: FakeContainer): string | null {
    const test = spec.plan.healthcheck?.test?.join(' ') ?? image.contents.healthcheck ?? null;
    return test === 'NONE' ? null : test;
  }

  #said(spec: ContainerSpec): string {
    const said = /echo (\w+)/.exec(spec.plan.healthcheck?.test?.join(' ') ?? '')?.[1];
    return said ? `${said}\n` : '';
  }

  #tell(
    { id, spec }: FakeContainer,
    change: ContainerChange,
    detail: { exitCode?: number; health?: ContainerHealth } = {},
  ): void {
    const { serviceId, deploymentId } = spec.owner;
    const { exitCode = null, health = null } = detail;
    this.events.tell({
      kind: 'container',
      change,
      containerId: id,
      serviceId,
      deploymentId,
      at: new Date(),
      exitCode,
      health,
    });
  }
}

function nameTaken(name: string): ContainerCreateFailed {
  return new ContainerCreateFailed(`The container name ${name} is taken by another container.`);
}

/** Every container has an address of its own. */
function addressOf(id: string): string {
  const [first, second] = Buffer.from(id.slice(0, 4), 'hex');
  return `172.18.${first}.${second}`;
}
