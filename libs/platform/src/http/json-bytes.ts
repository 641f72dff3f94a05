/** As many bytes as a UTF-16 code unit becomes in UTF-8 at most. */
const MOST_PER_UNIT = 3;
const scratch = Buffer.allocUnsafeSlow(1_048_576);

/**
 * A long JSON text as the bytes of an answer. Sent as a text it would be walked through three times, to measure, to
 * encode and to copy it.
 */
export function jsonBytes(json: string): Buffer {
  if (json.length * MOST_PER_UNIT > scratch.length) return Buffer.from(json);
  return Buffer.from(scratch.subarray(0, scratch.write(json)));
}
