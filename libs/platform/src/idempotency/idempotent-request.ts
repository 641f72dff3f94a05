import { createHash } from 'node:crypto';

/** Whose key it is and for which request: the same key under another caller is another key. */
export interface IdempotentRequest {
  readonly callerId: string;
  readonly key: string;
  /** Method, path and body: a key serves one request only. */
  readonly fingerprint: string;
}

/** What the first caller was answered. */
export interface IdempotentAnswer {
  readonly status: number;
  /** JSON text; null for an answer without a body. */
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** What is stored in place of the key. */
export function hashOfKey(request: IdempotentRequest): Buffer {
  return sha256(`${request.callerId}\n${request.key}`);
}

export function hashOfFingerprint(request: IdempotentRequest): Buffer {
  return sha256(request.fingerprint);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
