import { S3Client } from '@aws-sdk/client-s3';
import { BackupDestinationUnusable } from '../../application/ports/backup-store.js';
import type { S3Settings } from './s3-settings.js';

/** Settings that other stores than Amazon's understand too: paths instead of host names, no checksums they do not know. */
export function s3ClientOf({ endpoint, region, accessKeyId, secretAccessKey, times }: S3Settings): S3Client {
  const client = new S3Client({
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId, secretAccessKey: secretAccessKey.reveal() },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: times.attempts,
    requestHandler: { connectionTimeout: times.connectTimeoutMs, socketTimeout: times.silenceTimeoutMs },
  });
  giveUpWhenSilent(client);
  return client;
}

/** The client would try again: a store that hangs would be waited for several times as long. */
function giveUpWhenSilent(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        throw isSilence(error) ? new BackupDestinationUnusable('the S3 store did not answer in time') : error;
      }
    },
    // Of all steps this is the one that each attempt goes through.
    { step: 'deserialize', priority: 'high', name: 'giveUpWhenSilent' },
  );
}

/** The client gives closed connections the same name, but those have a code. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError' && !('code' in error);
}
