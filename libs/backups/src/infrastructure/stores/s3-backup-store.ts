import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { PassThrough, pipeline, Readable } from 'node:stream';
import type { Randomness } from '#kernel/crypto/randomness';
import {
  BackupDestinationUnusable,
  BackupStore,
  StoredBackupMissing,
  type StoredFile,
} from '../../application/ports/backup-store.js';
import { measure, MeasuredSource } from './measured-stream.js';
import { isMissing, s3Error } from './s3-errors.js';
import type { S3Settings } from './s3-settings.js';
import { assertSame, checkByRoundTrip } from './store-check.js';
import { assertStoreKey, assertStorePrefix } from './store-key.js';

/** S3 allows 10,000 parts, so the largest backup is 78 GiB. One upload takes the memory of about three parts. */
const PART_BYTES = 8 * 2 ** 20;
const PARTS_AT_ONCE = 2;
/** No upload takes this long, so an older unfinished one was left by a process that died. */
const UNFINISHED_MS = 24 * 3_600_000;

/** Stores backups in a bucket of any S3-compatible store. */
export class S3BackupStore extends BackupStore {
  readonly destination = 's3';

  constructor(
    private readonly client: S3Client,
    private readonly settings: Pick<S3Settings, 'bucket' | 'prefix' | 'times'>,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  async put(key: string, source: Readable): Promise<StoredFile> {
    const place = this.placeOf(key);
    const measured = new MeasuredSource(source);
    const upload = new Upload({
      client: this.client,
      params: { ...place, Body: measured.stream, ContentType: 'application/octet-stream' },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
      leavePartsOnError: false,
    });
    try {
      await upload.done();
    } catch (error) {
      measured.stream.destroy();
      source.destroy();
      throw measured.failure ? measured.failure.error : s3Error(error);
    }
    return this.verified(key, measured.result());
  }

  async open(key: string): Promise<Readable> {
    const request = new GetObjectCommand(this.placeOf(key));
    const { Body } = await this.ask(key, () => this.client.send(request));
    if (!(Body instanceof Readable)) throw new BackupDestinationUnusable('the S3 store answered without a body');
    // Errors while reading are translated in the same way as those of the request.
    const out = new PassThrough();
    Body.once('error', (error: unknown) => out.destroy(s3Error(error, key) as Error));
    pipeline(Body, out, () => undefined);
    return out;
  }

  async head(key: string): Promise<{ bytes: number } | null> {
    const request = new HeadObjectCommand(this.placeOf(key));
    try {
      const { ContentLength } = await this.client.send(request, this.soon());
      return { bytes: ContentLength ?? 0 };
    } catch (error) {
      if (isMissing(error)) return null;
      throw s3Error(error);
    }
  }

  async *list(prefix: string): AsyncGenerator<{ key: string; bytes: number }> {
    assertStorePrefix(prefix);
    const { bucket, prefix: own } = this.settings;
    let ContinuationToken: string | undefined;
    do {
      const request = { Bucket: bucket, Prefix: own + prefix, ContinuationToken };
      const page = await this.ask(null, () => this.client.send(new ListObjectsV2Command(request), this.soon()));
      for (const { Key, Size } of page.Contents ?? [])
        if (Key !== undefined) yield { key: Key.slice(own.length), bytes: Size ?? 0 };
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
  }

  async remove(key: string): Promise<void> {
    const request = new DeleteObjectCommand(this.placeOf(key));
    try {
      await this.client.send(request, this.soon());
    } catch (error) {
      if (!isMissing(error)) throw s3Error(error);
    }
  }

  async check(): Promise<void> {
    await checkByRoundTrip(this, this.randomness);
    await this.abortOldUploads();
  }

  /** Removes uploads that killed processes left unfinished: the owner of the bucket would pay for their parts. */
  private async abortOldUploads(): Promise<void> {
    const { bucket: Bucket, prefix: Prefix } = this.settings;
    try {
      const { Uploads } = await this.client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }), this.soon());
      const before = (await this.storeTime()) - UNFINISHED_MS;
      for (const { Key, UploadId, Initiated } of Uploads ?? [])
        if (Key?.startsWith(Prefix) && Initiated && Initiated.getTime() < before)
          await this.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), this.soon());
    } catch {
      // Some stores cannot list uploads, and the access key may lack the permission. Backups work all the same.
    }
  }

  /**
   * Unix time in milliseconds by the clock of the store, which may differ from that of this process. With the wrong
   * clock, uploads of other workers could look old enough to be aborted.
   */
  private async storeTime(): Promise<number> {
    const key = `checks/${this.randomness.uuid()}`;
    await this.put(key, Readable.from([Buffer.from(key)]));
    try {
      const { LastModified } = await this.client.send(new HeadObjectCommand(this.placeOf(key)), this.soon());
      return LastModified?.getTime() ?? 0;
    } finally {
      await this.remove(key);
    }
  }

  private async verified(key: string, sent: StoredFile): Promise<StoredFile> {
    try {
      const found = await this.head(key);
      if (found === null) throw new BackupDestinationUnusable('the S3 store does not hold what it has confirmed');
      assertSame(sent, { ...sent, bytes: found.bytes });
      assertSame(sent, await measure(await this.open(key)));
      return sent;
    } catch (error) {
      await this.remove(key).catch(() => undefined);
      if (error instanceof StoredBackupMissing)
        throw new BackupDestinationUnusable('the S3 store does not hold what it has confirmed');
      throw s3Error(error);
    }
  }

  /** A limit for the whole answer: the timeout for silence does not end an answer that arrives byte by byte. */
  private soon(): { readonly abortSignal: AbortSignal } {
    return { abortSignal: AbortSignal.timeout(this.settings.times.answerTimeoutMs) };
  }

  private placeOf(key: string): { Bucket: string; Key: string } {
    assertStoreKey(key);
    return { Bucket: this.settings.bucket, Key: this.settings.prefix + key };
  }

  private async ask<T>(key: string | null, send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      throw s3Error(error, key);
    }
  }
}
