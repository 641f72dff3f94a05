import type { IncomingMessage } from 'node:http';
import type { S3Stub } from './s3-stub.js';

/** A request that the store does not answer. */
export interface HeldRequest {
  /** Once it has come. */
  readonly reached: Promise<void>;
  /** Closes its connection; the store is itself again. */
  letGo(): void;
}

/** @param pass how many such requests are answered before one is held */
export function holdRequest(s3: S3Stub, isMeant: (request: IncomingMessage) => boolean, pass = 0): HeldRequest {
  let reach: () => void = () => undefined;
  let held: IncomingMessage | null = null;
  let left = pass;
  s3.trick((request) => {
    if (held || !isMeant(request) || left-- > 0) return false;
    held = request;
    request.resume();
    reach();
    return true;
  });
  return {
    reached: new Promise((resolve) => (reach = resolve)),
    letGo: () => {
      s3.trick(null);
      held?.destroy();
    },
  };
}
