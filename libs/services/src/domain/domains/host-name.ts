import { Invalid } from '#kernel/errors';

declare const brand: unique symbol;

/** A DNS name in normal form: lower case, ASCII (`xn--…`), no final dot, at least two labels. */
export type HostName = string & { readonly [brand]: 'HostName' };

const MAX_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters that have a meaning in a URL, or that are invisible. */
const NO_NAME = /[\s\p{Cc}\p{Cf}%/\\?#@:[\]]/u;
/** Top-level domains that never belong to a server on the internet. */
const SPECIAL_ENDS = ['localhost', 'invalid', 'onion', 'arpa'];

/** @throws Invalid naming the field, for everything except the name of a single host */
export function parseHostName(text: string, field = 'host'): HostName {
  const refuse = (problem: string) => Invalid.field(field, problem);
  if (text === '') throw refuse('must not be empty');
  if (text.includes('*')) throw refuse('must not contain a wildcard');
  if (/^\[?[0-9a-f:.]*:[0-9a-f:.]*\]?$/i.test(text) && text.split(':').length > 2)
    throw refuse('must not be an IP address');
  if (NO_NAME.test(text)) throw refuse('must be a host name only, without scheme, port, path or spaces');
  const ascii = toAscii(text);
  if (ascii === null) throw refuse('is not a valid host name');
  if (/^\d+(\.\d+){3}$/.test(ascii)) throw refuse('must not be an IP address');
  const labels = ascii.split('.');
  if (ascii.length > MAX_LENGTH || !labels.every((label) => LABEL.test(label))) {
    throw refuse('must consist of labels of 1 to 63 letters, digits and hyphens, 253 characters at most');
  }
  if (labels.length < 2) throw refuse('must have at least two labels, such as shop.example.com');
  if (SPECIAL_ENDS.includes(labels.at(-1)!)) throw refuse(`must not end with .${labels.at(-1)}`);
  return ascii as HostName;
}

/** Applies the URL standard: lower case, ASCII form of international names, numbers as IP addresses. */
function toAscii(text: string): string | null {
  const url = `http://${text}`;
  if (!URL.canParse(url)) return null;
  return new URL(url).hostname.replace(/\.$/, '');
}

/** All parents, nearest first: for `a.b.example.com` they are `b.example.com`, `example.com` and `com`. */
export function parentsOf(host: string): readonly string[] {
  const labels = host.split('.');
  return labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'));
}

export function liesUnder(host: string, base: string): boolean {
  return host.endsWith(`.${base}`);
}
