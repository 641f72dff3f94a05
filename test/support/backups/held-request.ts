import type { IncomingMessage } from 'node:http';
import type { S3Stub } from './s3-stub.js';

/** A request that the store does not answer. */
export interface HeldRequest {
  /** Resolves when the request has arrived. */
  readonly reached: Promise<void>;
  /** Closes the connection of the request. Later requests are answered again. */
  letGo(): void;
}

/** Holds the next matching request. @param pass how many matching requests are answered before that */
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
