import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { extract, pack } from 'tar-stream';
import type { ContainerRuntime } from '../../../libs/services/src/application/ports/engine/container-runtime.js';
import { DockerodeContainerRuntime } from '../../../libs/services/src/infrastructure/docker/dockerode-container-runtime.js';
import type { FileInContainer, RuntimeBed } from '../../contract/container-runtime-bed.js';
import { engineHost, engineJson, engineRequest } from './engine-http.js';
import { forgetImages, makeImage, publishImage, removeImage } from './images.js';
import { freePort } from '../free-port.js';
import { startRegistry } from './registry.js';

const LOOPBACK = '127.0.0.1';

/** The real engine with a separate registry. An instance label separates it from other tests on that engine. */
export function openDockerBed(): Promise<RuntimeBed> {
  return openEngineBed((instance) => new DockerodeContainerRuntime({ host: engineHost(), instance }), LOOPBACK);
}

/** @param portAddress where the runtime publishes ports */
export async function openEngineBed(
  make: (instance: string) => ContainerRuntime,
  portAddress: string,
): Promise<RuntimeBed> {
  const [open, guarded] = await Promise.all([startRegistry(), startRegistry({ refuseAnonymous: true })]);
  const dead = `127.0.0.1:${await freePort()}`;
  const instance = `test-${process.pid}-${open.host.split(':')[1]}`;
  const foreign = 'test-foreign:1';
  const foreignImage = await makeImage(foreign);
  return {
    runtime: make(instance),
    registry: open.host,
    deadRegistry: dead,
    guardedRegistry: guarded.host,
    publish: publishImage,
    makeLocal: async (reference) => {
      await makeImage(reference);
    },
    readFile,
    writeFile,
    isReachedAt,
    portAddress,
    reaches: async (containerId, host) =>
      (await runIn(containerId, ['sh', '-c', `nc -w 2 ${host} 8080 </dev/null`])).exitCode === 0,
    makeForeign: async (kind, name) => {
      if (kind === 'container') await engineJson('POST', `/containers/create?name=${name}`, { Image: foreignImage });
      if (kind === 'network') await engineJson('POST', '/networks/create', { Name: name });
      if (kind === 'volume') await engineJson('POST', '/volumes/create', { Name: name });
      return {
        forget: async () => {
          await engineRequest('DELETE', `/${kind}s/${name}`);
        },
      };
    },
    foreignStands: async (kind, name) => (await engineRequest('GET', inspectPath(kind, name))).status === 200,
    occupyPort: async () => {
      const server = createServer().listen(0, portAddress);
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      return {
        port,
        release: async () => {
          server.close();
          await once(server, 'close');
        },
      };
    },
    close: async () => {
      await removeImage(foreign);
      for (const host of [open.host, guarded.host, dead]) await forgetImages(host);
      await Promise.all([open.stop(), guarded.stop()]);
    },
  };
}

function inspectPath(kind: 'container' | 'network' | 'volume', name: string): string {
  return kind === 'container' ? `/containers/${name}/json` : `/${kind}s/${name}`;
}

async function readFile(containerId: string, path: string): Promise<FileInContainer> {
  const answer = await engineRequest('GET', `/containers/${containerId}/archive?path=${encodeURIComponent(path)}`);
  if (answer.status !== 200) throw new Error(`cannot read ${path}: ${answer.text}`);
  for await (const entry of Readable.from([answer.bytes]).pipe(extract())) {
    const { uid = 0, gid = 0, mode = 0 } = entry.header;
    return { text: await textOf(entry), uid, gid, mode: mode & 0o7777 };
  }
  throw new Error(`nothing came for ${path}`);
}

async function writeFile(containerId: string, path: string, text: string): Promise<void> {
  const tar = pack();
  tar.entry({ name: path.slice(1) }, text);
  tar.finalize();
  const answer = await engineRequest('PUT', `/containers/${containerId}/archive?path=/`, { body: tar });
  if (answer.status !== 200) throw new Error(`cannot write ${path}: ${answer.text}`);
}

export interface CommandResult {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs a command in the container and waits for its end. @param User defaults to that of the container */
export async function runIn(containerId: string, command: string[], User?: string): Promise<CommandResult> {
  const options = { Cmd: command, User, AttachStdout: true, AttachStderr: true };
  const { Id } = await engineJson<{ Id: string }>('POST', `/containers/${containerId}/exec`, options);
  const { bytes } = await engineRequest('POST', `/exec/${Id}/start`, { body: { Detach: false, Tty: false } });
  const { ExitCode } = await engineJson<{ ExitCode: number }>('GET', `/exec/${Id}/json`);
  return { exitCode: ExitCode, output: unframed(bytes) };
}

/** Removes the frames of the engine: one byte for the stream, three empty bytes, four for the length, then the text. */
function unframed(bytes: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at + 4);
    parts.push(bytes.subarray(at + 8, end));
    at = end;
  }
  return Buffer.concat(parts).toString();
}

function isReachedAt(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: 8080, timeout: 2_000 });
    const end = (isReached: boolean) => {
      socket.destroy();
      resolve(isReached);
    };
    socket
      .on('connect', () => end(true))
      .on('error', () => end(false))
      .on('timeout', () => end(false));
  });
}
