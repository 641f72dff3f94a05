import { createServer } from 'node:net';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { DockerodeContainerRuntime } from '../../../libs/services/src/infrastructure/docker/dockerode-container-runtime.js';
import type { FileInContainer, RuntimeBed } from '../../contract/container-runtime-bed.js';
import { engineHost, engineJson, engineRequest } from './engine-http.js';
import { forgetImages, makeImage, publishImage, removeImage } from './images.js';
import { freePort } from '../free-port.js';
import { startRegistry } from './registry.js';

/** The real engine with a registry of its own. Its instance label keeps it apart from other tests on that engine. */
export async function openDockerBed(): Promise<RuntimeBed> {
  const [open, guarded] = await Promise.all([startRegistry(), startRegistry({ refuseAnonymous: true })]);
  const dead = `127.0.0.1:${await freePort()}`;
  const instance = `test-${process.pid}-${open.host.split(':')[1]}`;
  const foreign = 'test-foreign:1';
  const foreignImage = await makeImage(foreign);
  return {
    runtime: new DockerodeContainerRuntime({ host: engineHost(), instance }),
    registry: open.host,
    deadRegistry: dead,
    guardedRegistry: guarded.host,
    publish: publishImage,
    makeLocal: async (reference) => {
      await makeImage(reference);
    },
    readFile,
    reaches: (containerId, host) => succeeds(containerId, ['sh', '-c', `nc -w 2 ${host} 8080 </dev/null`]),
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
      const server = createServer().listen(0, '127.0.0.1');
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

/** Runs a command in the container and waits for its end. @returns whether it ended with 0 */
async function succeeds(containerId: string, command: string[]): Promise<boolean> {
  const options = { Cmd: command, AttachStdout: true, AttachStderr: true };
  const { Id } = await engineJson<{ Id: string }>('POST', `/containers/${containerId}/exec`, options);
  await engineRequest('POST', `/exec/${Id}/start`, { body: { Detach: false, Tty: false } });
  const { ExitCode } = await engineJson<{ ExitCode: number }>('GET', `/exec/${Id}/json`);
  return ExitCode === 0;
}
