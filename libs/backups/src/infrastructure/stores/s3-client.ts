import { S3Client } from '@aws-sdk/client-s3';
import { BackupDestinationUnusable } from '../../application/ports/backup-store.js';
import type { S3Settings } from './s3-settings.js';

/**
 * Works with other stores than Amazon's too: bucket names in the path, and no checksums that other stores do not know.
 */
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

/** Prevents retries after a timeout: with them, a store that hangs would hold the caller up several times as long. */
function giveUpWhenSilent(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        throw isSilence(error) ? new BackupDestinationUnusable('the S3 store did not answer in time') : error;
      }
    },
    // This step runs for every attempt, inside the client's own retries.
    { step: 'deserialize', priority: 'high', name: 'giveUpWhenSilent' },
  );
}

/** Errors of closed connections have the same name, but they also have a code. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError' && !('code' in error);
}
