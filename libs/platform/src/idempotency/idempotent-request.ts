import { createHash } from 'node:crypto';

/** A request with its key and the key's owner. Different callers may use the same key. */
export interface IdempotentRequest {
  readonly callerId: string;
  readonly key: string;
  /** Method, path and body. A key may be used for one request only. */
  readonly fingerprint: string;
}

/** The response to the first request. */
export interface IdempotentAnswer {
  readonly status: number;
  /** JSON text; null for a response without a body. */
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Stored instead of the key. */
export function hashOfKey(request: IdempotentRequest): Buffer {
  return sha256(`${request.callerId}\n${request.key}`);
}

export function hashOfFingerprint(request: IdempotentRequest): Buffer {
  return sha256(request.fingerprint);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
