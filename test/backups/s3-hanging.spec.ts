import type { S3Client } from '@aws-sdk/client-s3';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { Readable } from 'node:stream';
import { SystemRandomness } from '#kernel/crypto/randomness';
import { SecretText } from '#kernel/crypto/secret-text';
import { BackupDestinationUnusable } from '../../libs/backups/src/application/ports/backup-store.js';
import { S3BackupStore } from '../../libs/backups/src/infrastructure/stores/s3-backup-store.js';
import { s3ClientOf } from '../../libs/backups/src/infrastructure/stores/s3-client.js';
import { PATIENCE } from '../../tools/lib/tests/patience.mjs';
import { BUCKET, type S3Stub, type S3Trick, startS3 } from '../support/backups/s3-stub.js';

const MEBIBYTE = 2 ** 20;
const SILENCE_MS = 800 * PATIENCE;
/** `put` waits twice: for the upload, and for the abortion of the upload. A second attempt would take longer. */
const BOUND_MS = 4 * SILENCE_MS;
const TIMES = {
  connectTimeoutMs: SILENCE_MS,
  silenceTimeoutMs: SILENCE_MS,
  answerTimeoutMs: 2 * SILENCE_MS,
  attempts: 4,
};

let s3: S3Stub;
let client: S3Client;
let store: S3BackupStore;

const storeAt = (endpoint: string) => {
  const secretAccessKey = new SecretText('secret');
  const own = { bucket: BUCKET, prefix: '', accessKeyId: 'id', secretAccessKey, region: 'us-east-1' };
  const settings = { ...own, endpoint, times: TIMES };
  client = s3ClientOf(settings);
  return new S3BackupStore(client, settings, new SystemRandomness());
};

const OPERATIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  'puts a small file': () => store.put('small', Readable.from([randomBytes(1_000)])),
  'puts a file of many parts': () =>
    store.put('large', Readable.from(Array.from({ length: 40 }, () => randomBytes(MEBIBYTE)))),
  opens: () => store.open('there').then((stream) => stream.toArray()),
  'asks for the size': () => store.head('there'),
  lists: async () => {
    for await (const _ of store.list('')) continue;
  },
  removes: () => store.remove('there'),
  'checks it': () => store.check(),
};

async function expectGivenUp(operation: () => Promise<unknown>): Promise<void> {
  const since = performance.now();
  const error: unknown = await operation().then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(BackupDestinationUnusable);
  expect(String(error)).toContain('did not answer in time');
  expect(performance.now() - since).toBeLessThan(BOUND_MS);
}

beforeAll(async () => {
  s3 = await startS3();
  store = storeAt(s3.endpoint);
  await store.put('there', Readable.from([randomBytes(100_000)]));
});
afterEach(() => s3.trick(null));
afterAll(async () => {
  client.destroy();
  await s3.close();
});

describe('An S3 store that hangs is given up after one silence', () => {
  const never: S3Trick = (request) => {
    request.resume();
    return true;
  };

  it.each(Object.entries(OPERATIONS))('when it never answers and the panel %s', async (_, operation) => {
    s3.trick(never);
    await expectGivenUp(operation);
  });

  it.each(['opens', 'lists', 'puts a small file'])(
    'when it stops behind the head of its answer and the panel %s',
    async (name) => {
      s3.trick((request, response) => {
        request.resume();
        response.writeHead(200, { 'content-length': '100000' }).write('<');
        return true;
      });
      await expectGivenUp(OPERATIONS[name]!);
    },
  );

  it('when it stops reading an upload', async () => {
    s3.trick((request) => {
      if (!request.url?.includes('partNumber=')) return false;
      request.pause();
      return true;
    });
    await expectGivenUp(OPERATIONS['puts a file of many parts']!);
  });

  it('when it has received all parts and never confirms the upload', async () => {
    s3.trick((request, response) => {
      const isEnd = request.method === 'POST' && Boolean(request.url?.includes('uploadId='));
      return isEnd && never(request, response);
    });
    await expectGivenUp(OPERATIONS['puts a file of many parts']!);
  });

  it('when it answers a request byte by byte without an end', async () => {
    s3.trick((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/xml' });
      const drops = setInterval(() => response.write('<'), SILENCE_MS / 8);
      response.once('close', () => clearInterval(drops));
      return true;
    });
    await expectGivenUp(OPERATIONS.lists!);
  });

  it('when it accepts no connections', async () => {
    const listens = `const s = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 },
      () => process.stdout.write(String(s.address().port)))`;
    const stopped = spawn(process.execPath, ['-e', listens], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(stopped.stdout, 'data')) as [Buffer];
    stopped.kill('SIGSTOP');
    const port = Number(line.toString());
    // These connections fill the backlog of a server that accepts none.
    const queue = Array.from({ length: 4 }, () =>
      createConnection({ port, host: '127.0.0.1' }).on('error', () => null),
    );
    const healthy = [client, store] as const;
    store = storeAt(`http://127.0.0.1:${port}`);
    try {
      await expectGivenUp(OPERATIONS['asks for the size']!);
    } finally {
      client.destroy();
      [client, store] = healthy;
      for (const socket of queue) socket.destroy();
      stopped.kill('SIGKILL');
    }
  });

  it('and not one that is slow but goes on sending', async () => {
    const bytes = 6;
    s3.trick((request, response) => {
      if (request.method !== 'GET') return false;
      response.writeHead(200, { 'content-length': String(bytes) });
      let sent = 0;
      const drops = setInterval(() => {
        response.write('x');
        sent += 1;
        if (sent < bytes) return;
        clearInterval(drops);
        // Until then the server answers nothing else on this connection.
        response.end();
      }, SILENCE_MS / 2);
      return true;
    });
    const received = await (await store.open('there')).toArray();
    expect(Buffer.concat(received as Buffer[]).toString()).toBe('x'.repeat(bytes));
  });

  it('and it is used again when it works', async () => {
    await expect(store.check()).resolves.toBeUndefined();
  });
});
