const MAX_LENGTH = 512;
/** No part may begin with a dot, so that neither `..` nor the name of an unfinished file is a key. */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** @throws RangeError when the text is not a key, for example because it leads out of the store */
export function assertStoreKey(key: string): void {
  if (key.length > MAX_LENGTH || !KEY.test(key)) throw new RangeError('this is no key of the backup store');
}

/** A prefix is empty, which means all keys, or a key with or without a slash at its end. @throws RangeError */
export function assertStorePrefix(prefix: string): void {
  if (prefix !== '') assertStoreKey(prefix.replace(/\/$/, ''));
}
