import { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from './s3-settings.js';

/** Settings that other stores than Amazon's understand too: paths instead of host names, no checksums they do not know. */
export function s3ClientOf({ endpoint, region, accessKeyId, secretAccessKey, times }: S3Settings): S3Client {
  return new S3Client({
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId, secretAccessKey: secretAccessKey.reveal() },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: times.attempts,
    requestHandler: { connectionTimeout: times.connectMs, socketTimeout: times.idleMs },
  });
}
