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

/** A store that hangs is given up soon: whoever waits for it can do nothing else. */
export interface S3Times {
  readonly connectTimeoutMs: number;
  /** For how long a connection may be silent, before the first byte of an answer and after it. Not tried again. */
  readonly silenceTimeoutMs: number;
  /** How long a question with a short answer may take in all. */
  readonly answerTimeoutMs: number;
  /** For answers such as 503, and for connections that the store closed. */
  readonly attempts: number;
}

export const S3_TIMES: S3Times = {
  connectTimeoutMs: 5_000,
  silenceTimeoutMs: 30_000,
  answerTimeoutMs: 60_000,
  attempts: 4,
};
