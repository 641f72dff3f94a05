import type { IncomingMessage } from 'node:http';

/** Headers that make a request ambiguous if they occur twice with different values. */
const SINGLE = new Map([
  [4, 'host'],
  [13, 'authorization'],
  [15, 'idempotency-key'],
]);

/**
 * The status for an ambiguous request; null if the request is unambiguous. Proxies and servers disagree about such
 * requests, which is how request smuggling works.
 */
export function ambiguityOf({ headers, rawHeaders, httpVersion, url = '/' }: IncomingMessage): 400 | 404 | null {
  if (httpVersion === '1.1' && headers.host === undefined) return 400;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') return 400;
  if (contradicts(rawHeaders)) return 400;
  return climbs(url) ? 404 : null;
}

function contradicts(rawHeaders: readonly string[]): boolean {
  let seen: Map<string, string> | null = null;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]];
    const single = SINGLE.get(name.length);
    if (!single || name.toLowerCase() !== single) continue;
    seen ??= new Map<string, string>();
    const other = seen.get(single);
    // Two Host headers are refused even if they are equal, as RFC 9112 requires.
    if (other !== undefined && (single === 'host' || other !== value)) return true;
    seen.set(single, value);
  }
  return false;
}

const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){2}(?:\/|$)/i;

/** True for a path with a `..` segment, which is always refused. */
function climbs(url: string): boolean {
  return (url.includes('..') || /%2e/i.test(url)) && DOT_SEGMENT.test(url.split('?', 1)[0] ?? '');
}
