import { Utf8Buffer } from '#kernel/utf8-buffer';

const ready = new Utf8Buffer(1_048_576);

/**
 * A long JSON text as the bytes of an answer. Sent as a text it would be walked through three times, to measure, to
 * encode and to copy it.
 */
export function jsonBytes(json: string): Buffer {
  return Buffer.from(ready.write(json) ? ready.take() : json);
}
