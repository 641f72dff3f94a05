import { BackupDestinationUnusable, StoredBackupMissing } from '../../application/ports/backup-store.js';

const NAMES: Readonly<Record<string, string>> = {
  NoSuchBucket: 'the bucket does not exist',
  SlowDown: 'the S3 store asks to slow down',
  TimeoutError: 'the S3 store did not answer in time',
  AbortError: 'the S3 store did not answer in time',
  EntityTooLarge: 'the S3 store takes no object of this size',
  QuotaExceeded: 'the quota of the S3 store is used up',
  InvalidAccessKeyId: 'the S3 store does not know the access key (BACKUP_S3_ACCESS_KEY_ID)',
  SignatureDoesNotMatch: 'the S3 store refuses the secret key (BACKUP_S3_SECRET_ACCESS_KEY)',
};
const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at the S3 endpoint',
  ENOTFOUND: 'the host of the S3 endpoint has no address',
  EAI_AGAIN: 'the host of the S3 endpoint cannot be looked up',
  ECONNRESET: 'the S3 store closed the connection',
  ETIMEDOUT: 'the S3 store did not answer in time',
  EPIPE: 'the S3 store closed the connection',
};
const PLAIN = /^[A-Za-z][A-Za-z0-9_]{0,60}$/;

interface S3Failure {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * Translates an error of the S3 client into words. The store's own message is not passed on, because it is not trusted
 * and may contain the access key.
 * @param key the requested object, if the error can mean that it is missing
 */
export function s3Error(error: unknown, key: string | null = null): unknown {
  if (error instanceof BackupDestinationUnusable || error instanceof StoredBackupMissing) return error;
  if (typeof error !== 'object' || error === null) return error;
  const { name, code, message, $metadata } = error as S3Failure;
  const status = $metadata?.httpStatusCode;
  // The client wraps some network errors, and then only the message contains the code.
  const network = Object.keys(CODES).find((each) => each === code || String(message).includes(each));
  if (isMissing(error) && key !== null) return new StoredBackupMissing(key);
  if (typeof name === 'string' && NAMES[name]) return new BackupDestinationUnusable(withStatus(NAMES[name], status));
  if (network !== undefined) return new BackupDestinationUnusable(CODES[network]!);
  if (status === 401 || status === 403)
    return new BackupDestinationUnusable(withStatus('the S3 store denies access', status));
  if (status === 429 || (status ?? 0) >= 500)
    return new BackupDestinationUnusable(withStatus('the S3 store is not available', status));
  const word = typeof name === 'string' && PLAIN.test(name) ? name : 'unknown failure';
  return new BackupDestinationUnusable(`the S3 store failed (${status === undefined ? word : `${status} ${word}`})`);
}

/** Whether the error means that the object is missing, and not the whole bucket. */
export function isMissing(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, $metadata } = error as S3Failure;
  return name === 'NoSuchKey' || name === 'NotFound' || ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket');
}

const withStatus = (text: string, status: number | undefined): string =>
  status === undefined ? text : `${text} (${status})`;
