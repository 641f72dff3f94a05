import type { Readable } from 'node:stream';

/**
 * Reads a body to its end, or until it exceeds `limit` bytes. The rest is read and dropped: the caller may still be
 * sending, and reads the response only afterwards. `requestTimeout` limits how long that takes.
 * @param announced the value of `Content-Length`
 * @param taken gets null if the body is too long
 */
export function wholeBody(
  body: Readable,
  { announced, limit }: { readonly announced: number; readonly limit: number },
  taken: (error: Error | null, bytes: Buffer | null) => void,
): void {
  if (announced > limit) {
    body.resume();
    return taken(null, null);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (error: Error | null, bytes: Buffer | null) => {
    body.off('data', take).off('end', finish).off('error', fail);
    taken(error, bytes);
  };
  const take = (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= limit) return;
    stop(null, null);
    // The rest of the body and its errors are ignored.
    body.on('error', () => undefined).resume();
  };
  const finish = () => stop(null, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
  const fail = (error: Error) => stop(error, null);
  body.on('data', take).on('end', finish).on('error', fail);
}
