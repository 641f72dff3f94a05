import type { SecretText } from '#kernel/crypto/secret-text';

export interface S3Settings {
  /** Null for Amazon's own. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  /** Empty, or a text that ends with a slash. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: SecretText;
  readonly times: S3Times;
}

export interface S3Times {
  readonly connectMs: number;
  /** For how long a connection may be silent. */
  readonly idleMs: number;
  readonly attempts: number;
}

export const S3_TIMES: S3Times = { connectMs: 5_000, idleMs: 60_000, attempts: 4 };
