import type { SecretText } from '#kernel/crypto/secret-text';

export interface S3Settings {
  /** URL of the store; null for Amazon S3. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  /** Prefix of all keys: empty or ending with a slash. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: SecretText;
  readonly times: S3Times;
}

/** Short timeouts, because a worker that waits for a store that hangs can do nothing else. */
export interface S3Times {
  readonly connectTimeoutMs: number;
  /** How long a connection may be silent, before the first byte of an answer and after it. Not retried. */
  readonly silenceTimeoutMs: number;
  /** How long a request with a short answer may take in total. */
  readonly answerTimeoutMs: number;
  /** Number of attempts after answers such as 503 and after closed connections, including the first one. */
  readonly attempts: number;
}

export const S3_TIMES: S3Times = {
  connectTimeoutMs: 5_000,
  silenceTimeoutMs: 30_000,
  answerTimeoutMs: 60_000,
  attempts: 4,
};
