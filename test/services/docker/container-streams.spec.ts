import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { SecretText } from '#kernel/crypto/secret-text';
import { DockerodeContainerStreams } from '../../../libs/services/src/infrastructure/docker/streams/dockerode-container-streams.js';
import { DockerodeScratchContainers } from '../../../libs/services/src/infrastructure/docker/dockerode-scratch-containers.js';
import { engineHost, engineJson, engineRequest } from '../../support/docker/engine-http.js';
import { describeWithEngine } from '../../support/docker/engine.js';
import { forgetImages, makeImage } from '../../support/docker/images.js';

const PURPOSE = 'streams-under-test';
const MEGABYTE = 2 ** 20;

function* megabytes(count: number): Generator<Buffer> {
  for (let i = 0; i < count; i += 1) yield Buffer.alloc(MEGABYTE, i);
}

async function hashed(source: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of source) hash.update(chunk);
  return hash.digest('hex');
}

async function textOf(source: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of source) text += chunk.toString();
  return text;
}

describeWithEngine('programs whose input and output are streamed', () => {
  const streams = new DockerodeContainerStreams({ host: engineHost() });
  const scratch = new DockerodeScratchContainers({ host: engineHost(), instance: `streams-${process.pid}` });
  let container: string;

  const aContainer = async () =>
    scratch.start({
      purpose: PURPOSE,
      imageId: await makeImage('test-streams:1'),
      command: ['sleep', '600'],
      environment: new Map(),
      files: [{ path: '/run/note', content: new SecretText('kept'), uid: 0, gid: 0, mode: 0o400 }],
      cpuCores: 1,
      memoryMb: 64,
      shmMb: null,
    });
  const run = (argv: readonly string[], stdin?: Readable) =>
    streams.run(container, { argv, ...(stdin && { stdin }), environment: new Map([['WORD', new SecretText('said')]]) });

  beforeAll(async () => {
    container = await aContainer();
  });

  afterAll(async () => {
    await scratch.removeAll(PURPOSE);
    await forgetImages('test-streams');
  });

  it('gives all that a program says besides, before the program has ended', async () => {
    const said: Buffer[] = [];
    const argv = ['sh', '-c', 'i=0; while [ $i -lt 2000 ]; do echo "line $i" >&2; i=$((i + 1)); done; echo out'];
    const program = await streams.run(container, { argv, onStderr: (chunk) => void said.push(chunk) });
    expect(await textOf(program.stdout)).toBe('out\n');
    expect((await program.finished).exitCode).toBe(0);
    const lines = Buffer.concat(said).toString().split('\n');
    expect([lines.length, lines[0], lines[1999]]).toEqual([2001, 'line 0', 'line 1999']);
  });

  it('gives output and exit status, and the end of what it says besides', async () => {
    const program = await run(['sh', '-c', 'echo "$WORD"; cat /run/note; echo first >&2; echo last >&2; exit 3']);
    expect(await textOf(program.stdout)).toBe('said\nkept');
    expect(await program.finished).toEqual({ exitCode: 3, stderrTail: 'first\nlast\n' });
  });

  it('carries 24 MB in and out unchanged, however slowly they are read', async () => {
    const program = await run(['cat'], Readable.from(megabytes(24)));
    const slowly = async function* () {
      for await (const chunk of program.stdout as AsyncIterable<Buffer>) {
        if (chunk.length % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        yield chunk;
      }
    };
    expect(await hashed(slowly())).toBe(await hashed(Readable.from(megabytes(24))));
    expect((await program.finished).exitCode).toBe(0);
  });

  it('lets a program end that does not read its input', async () => {
    const program = await run(['true'], Readable.from(megabytes(8)));
    program.stdout.resume();
    expect((await program.finished).exitCode).toBe(0);
  });

  it('passes on the error of an input, also of one that had failed before the program was there', async () => {
    const late = new Readable({ read: () => undefined });
    const program = await run(['cat'], late);
    program.stdout.on('error', () => undefined).resume();
    late.destroy(new Error('the source broke'));
    await expect(program.finished).rejects.toThrow('the source broke');
    const early = new Readable({ read: () => undefined }).on('error', () => undefined);
    early.destroy(new Error('broken from the start'));
    await new Promise((resolve) => early.once('close', resolve));
    const second = await run(['cat'], early);
    second.stdout.on('error', () => undefined).resume();
    await expect(second.finished).rejects.toThrow('broken from the start');
  });

  it('never ends well when its container is killed or its reader leaves', async () => {
    const doomed = await aContainer();
    const endless = ['sh', '-c', 'while true; do echo x; done'];
    const program = await streams.run(doomed, { argv: endless });
    program.stdout.on('error', () => undefined).resume();
    await engineRequest('POST', `/containers/${doomed}/kill`);
    const ending = await program.finished.then(
      ({ exitCode }) => exitCode,
      () => 'lost',
    );
    expect(ending).not.toBe(0);
    const left = await run(endless);
    left.stdout.on('error', () => undefined).destroy();
    await expect(left.finished).rejects.toThrow();
  });

  it('gives a trial neither a network nor more than its limits, and is removed with all of its purpose', async () => {
    const { HostConfig } = await engineJson<any>('GET', `/containers/${container}/json`);
    expect(HostConfig).toMatchObject({
      NetworkMode: 'none',
      Memory: 64 * MEGABYTE,
      MemorySwap: 64 * MEGABYTE,
      NanoCpus: 1e9,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      PortBindings: null,
    });
    const others = new DockerodeScratchContainers({ host: engineHost(), instance: 'another-panel' });
    expect(await others.removeAll(PURPOSE)).toBe(0);
    expect(await scratch.removeAll(PURPOSE)).toBeGreaterThan(0);
    expect(await scratch.look(container)).toBeNull();
  });
});
