import type {
  ContainerRuntime,
  LocalImage,
  Operation,
} from '../../libs/services/src/application/ports/engine/container-runtime.js';
import type { ImageContents } from '../support/docker/images.js';
import { anImageReference } from '../support/docker/plans.js';

export interface FileInContainer {
  readonly text: string;
  readonly uid: number;
  readonly gid: number;
  /** Permission bits. */
  readonly mode: number;
}

/** What the contract needs beside the runtime: the world around it, real or in memory. */
export interface RuntimeBed {
  readonly runtime: ContainerRuntime;
  /** Host of a registry that serves whatever `publish` gave it. */
  readonly registry: string;
  /** Host where nothing listens. */
  readonly deadRegistry: string;
  /** Host of a registry that serves nobody without credentials. */
  readonly guardedRegistry: string;
  /** Puts an image into the registry and nowhere else; answers with the manifest's digest. */
  publish(reference: string, contents?: ImageContents): Promise<string>;
  /** Gives the engine an image under a name of a registry that does not have it. */
  makeLocal(reference: string): Promise<void>;
  readFile(containerId: string, path: string): Promise<FileInContainer>;
  /** Whether a program on the engine's machine can connect to port 8080 of the address. */
  isReachedAt(address: string): Promise<boolean>;
  /** As a process of a running container would, outside of its volumes. */
  writeFile(containerId: string, path: string, text: string): Promise<void>;
  /** Whether a process in the container can connect to port 8080 of the host. */
  reaches(containerId: string, host: string): Promise<boolean>;
  /** Makes something of this name without our labels; `forget` takes it away again. */
  makeForeign(kind: 'container' | 'network' | 'volume', name: string): Promise<{ forget(): Promise<void> }>;
  foreignStands(kind: 'container' | 'network' | 'volume', name: string): Promise<boolean>;
  /** The host address on which the runtime publishes ports. */
  readonly portAddress: string;
  /** Takes a host port of that address. */
  occupyPort(): Promise<{ readonly port: number; release(): Promise<void> }>;
  close(): Promise<void>;
}

/** May always act. */
export const freely: Operation = { guard: () => Promise.resolve() };

/** The image on the engine; published and pulled when it is first asked for. */
export async function pulled(bed: RuntimeBed, name = 'plain', contents: ImageContents = {}): Promise<LocalImage> {
  const image = anImageReference(`${bed.registry}/${name}:1`);
  const standing = await bed.runtime.inspectImage(image);
  if (standing) return standing;
  await bed.publish(image.ref, contents);
  return bed.runtime.pullImage({ image, policy: 'always' }, freely);
}

let services = 0;

/** A service id that no other test uses. */
export function freshServiceId(): string {
  services += 1;
  return `svc-${process.pid}-${Date.now().toString(36)}-${services}`;
}

/** Takes away everything that the runtime calls ours. */
export async function clear(runtime: ContainerRuntime): Promise<void> {
  const { containers, networks, volumes } = await runtime.listOwned(null);
  await Promise.all(containers.map(({ id }) => runtime.removeContainer(id, freely)));
  await Promise.all(networks.map(({ name }) => runtime.removeNetwork(name, freely)));
  await Promise.all(volumes.map(({ name }) => runtime.removeVolume(name, freely)));
}
