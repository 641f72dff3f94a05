import type { CustomFetch } from 'openid-client';

const MAX_BODY_BYTES = 1_048_576;

/**
 * A fetch that ends at the deadline and reads at most 1 MiB, so that a provider that hangs or floods costs no more than
 * that. Redirects are not followed (openid-client requires that).
 */
export function boundedFetch(deadline: AbortSignal): CustomFetch {
  return async (url, options) => {
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
    const response = await fetch(url, { ...options, signal });
    if (isBounded(response.headers)) return response;
    const body = await readAtMost(response, MAX_BODY_BYTES);
    const bodiless = response.status === 204 || response.status === 304;
    return new Response(bodiless ? null : body, { status: response.status, headers: response.headers });
  };
}

/** True if the body announces its length and it is small enough. */
function isBounded(headers: Headers): boolean {
  const length = headers.get('content-length');
  const isAsSent = !headers.has('content-encoding') && !headers.has('transfer-encoding');
  return length !== null && isAsSent && Number(length) <= MAX_BODY_BYTES;
}

async function readAtMost(response: Response, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of stream ?? []) {
    size += chunk.length;
    if (size > limit) throw new TypeError(`the provider answered with more than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}
