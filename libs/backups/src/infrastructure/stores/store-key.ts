const MAX_LENGTH = 512;
/** No part begins with a dot: neither `..` nor the names of unfinished files are keys. */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** @throws RangeError for a text that is no key, such as one that would lead out of the store */
export function assertStoreKey(key: string): void {
  if (key.length > MAX_LENGTH || !KEY.test(key)) throw new RangeError('this is no key of the backup store');
}

/** A prefix is the beginning of a key, or empty for all keys. */
export function assertStorePrefix(prefix: string): void {
  if (prefix !== '') assertStoreKey(prefix.replace(/\/$/, ''));
}
