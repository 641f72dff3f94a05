import type { S3Client } from '@aws-sdk/client-s3';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { SystemRandomness } from '#kernel/crypto/randomness';
import { SecretText } from '#kernel/crypto/secret-text';
import { S3BackupStore } from '../../libs/backups/src/infrastructure/stores/s3-backup-store.js';
import { s3ClientOf } from '../../libs/backups/src/infrastructure/stores/s3-client.js';
import type { S3Settings } from '../../libs/backups/src/infrastructure/stores/s3-settings.js';
import { BUCKET, type S3Stub, startS3 } from '../support/backups/s3-stub.js';
import { whileClockIsAhead } from '../support/clock-ahead.js';
import { freePort } from '../support/free-port.js';
import { itStoresBackups } from './backup-store.contract.js';

const SECRET = 'secret-canary-of-the-store';
const KEY_ID = 'key-id-canary';
const MEBIBYTE = 2 ** 20;

let s3: S3Stub;
let client: S3Client;

beforeAll(async () => {
  s3 = await startS3();
  client = s3ClientOf(settings());
});
afterAll(async () => {
  client.destroy();
  await s3.close();
});

const TIMES = { connectTimeoutMs: 1_000, silenceTimeoutMs: 5_000, answerTimeoutMs: 5_000, attempts: 3 };
const settings = (change: Partial<S3Settings> = {}): S3Settings => ({
  endpoint: s3.endpoint,
  region: 'us-east-1',
  bucket: BUCKET,
  prefix: '',
  accessKeyId: KEY_ID,
  secretAccessKey: new SecretText(SECRET),
  times: TIMES,
  ...change,
});

const storeWith = (prefix: string, using: S3Client = client, change: Partial<S3Settings> = {}) =>
  new S3BackupStore(using, settings({ prefix, ...change }), new SystemRandomness());

const leftovers = async () => {
  const objects = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  const uploads = await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
  return [
    ...(objects.Contents ?? []).map(({ Key }) => Key!),
    ...(uploads.Uploads ?? []).map(({ UploadId }) => UploadId!),
  ];
};

describe('an S3 store for backups', () => {
  itStoresBackups(() => Promise.resolve({ store: storeWith('panel/one/'), leftovers, close: () => Promise.resolve() }));

  it('reads and writes only below its prefix', async () => {
    await storeWith('panel/two/').put('mine', Readable.from([Buffer.from('x')]));
    expect(await leftovers()).toContain('panel/two/mine');
    const keys: string[] = [];
    for await (const { key } of storeWith('panel/two/').list('')) keys.push(key);
    expect(keys).toEqual(['mine']);
  });

  it('aborts uploads that a killed process began a day ago, and no younger ones even when its clock is ahead', async () => {
    const upload = (name: string, hoursAgo: number) => {
      const initiated = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
      return `<Upload><Key>panel/${name}</Key><UploadId>${name}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
    };
    // The stub cannot list uploads.
    const list = `<ListMultipartUploadsResult>${upload('old', 25)}${upload('live', 1)}</ListMultipartUploadsResult>`;
    const aborted: string[] = [];
    s3.trick(({ method, url }, response) => {
      const { searchParams } = new URL(`http://s3${url}`);
      if (method === 'DELETE' && searchParams.has('uploadId')) aborted.push(searchParams.get('uploadId')!);
      else if (!searchParams.has('uploads')) return false;
      response.writeHead(200, { 'content-type': 'application/xml' }).end(method === 'GET' ? list : '');
      return true;
    });
    await whileClockIsAhead(40, () => storeWith('panel/').check());
    s3.trick(null);
    expect(aborted).toEqual(['old']);
  });
});

/** Answers with an S3 error whose message contains the access key, as real stores do. */
const refuse = (response: ServerResponse, status: number, code: string, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'content-type': 'application/xml', ...headers });
  response.end(`<Error><Code>${code}</Code><Message>no: ${KEY_ID} ${SECRET}</Message></Error>`);
};

describe('an S3 store that fails', () => {
  const store = () => storeWith('bad/');
  const small = () => Readable.from([randomBytes(1_000)]);
  afterEach(() => s3.trick(null));

  it('is reported with its status 403 and without secrets', async () => {
    s3.trick((request, response) => {
      request.resume();
      refuse(response, 403, 'AccessDenied');
      return true;
    });
    for (const call of [() => store().put('x', small()), () => store().open('x'), () => store().check()]) {
      const error: unknown = await call().then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(String(error)).toBe('BackupDestinationUnusable: the S3 store denies access (403)');
      expect(inspect(error, { depth: 9 })).not.toMatch(/canary/);
    }
  });

  it('is asked again after status 503 with Retry-After', async () => {
    let refused = 0;
    s3.trick((request, response) => {
      if (request.method !== 'PUT' || refused++ > 0) return false;
      request.resume();
      refuse(response, 503, 'SlowDown', { 'retry-after': '1' });
      return true;
    });
    await expect(store().put('patient', small())).resolves.toMatchObject({ bytes: 1_000 });
    expect(refused).toBeGreaterThan(1);
  });

  it('is given up when it keeps answering with status 503', async () => {
    s3.trick((request, response) => {
      request.resume();
      refuse(response, 503, 'SlowDown');
      return true;
    });
    await expect(store().put('x', small())).rejects.toThrow('the S3 store asks to slow down (503)');
  });

  it('is reported when it closes the connection in the middle of an answer', async () => {
    await store().put('cut', small());
    s3.trick((request, response) => {
      if (request.method !== 'GET') return false;
      response.writeHead(200, { 'content-length': '1000' });
      response.write(randomBytes(10), () => response.destroy());
      return true;
    });
    const stream = await store().open('cut');
    await expect(stream.toArray()).rejects.toThrow('the S3 store closed the connection');
  });

  it('keeps no parts of an upload of which it has refused one', async () => {
    const before = await leftovers();
    s3.trick((request, response) => {
      if (!request.url?.includes('partNumber=2')) return false;
      request.resume();
      refuse(response, 403, 'AccessDenied');
      return true;
    });
    const source = Readable.from(Array.from({ length: 40 }, () => randomBytes(MEBIBYTE)));
    await expect(store().put('parts', source)).rejects.toThrow('denies access (403)');
    s3.trick(null);
    expect(await leftovers()).toEqual(before);
    expect(source.destroyed).toBe(true);
  });

  it('is detected when it stores fewer bytes than it has confirmed', async () => {
    s3.trick((request, response) => {
      if (request.method !== 'HEAD') return false;
      response.writeHead(200, { 'content-length': '999' }).end();
      return true;
    });
    await expect(store().put('short', small())).rejects.toThrow('holds 999 bytes of 1000');
  });

  it('is detected when it stores other bytes of the same size', async () => {
    s3.trick((request, response) => {
      if (request.method !== 'GET') return false;
      response.writeHead(200, { 'content-length': '1000' }).end(randomBytes(1_000));
      return true;
    });
    await expect(store().put('other', small())).rejects.toThrow('holds other bytes than it was given');
    s3.trick(null);
    expect(await store().head('other')).toBeNull();
  });

  it('is detected when it confirms an upload and stores nothing', async () => {
    s3.trick((request, response) => {
      if (request.method !== 'PUT') return false;
      request.resume().once('end', () => response.writeHead(200, { etag: '"x"' }).end());
      return true;
    });
    await expect(store().put('nothing', small())).rejects.toThrow('does not hold what it has confirmed');
  });

  it('is detected when it does not delete', async () => {
    s3.trick((request, response) => {
      if (request.method !== 'DELETE') return false;
      response.writeHead(204).end();
      return true;
    });
    await expect(store().check()).rejects.toThrow('the destination does not delete');
  });

  it('is reported when nothing listens at the endpoint, or the bucket is missing', async () => {
    const nowhere = s3ClientOf(
      settings({ endpoint: `http://127.0.0.1:${await freePort()}`, times: { ...TIMES, attempts: 1 } }),
    );
    await expect(storeWith('', nowhere).check()).rejects.toThrow('nothing listens at the S3 endpoint');
    const other = storeWith('', client, { bucket: 'no-bucket-here' });
    await expect(other.check()).rejects.toThrow('the bucket does not exist');
  });
});
