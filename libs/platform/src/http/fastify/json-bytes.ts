import { Utf8Buffer } from '#kernel/text/utf8-buffer';

const ready = new Utf8Buffer(1_048_576);

/**
 * Writes a long array of JSON texts as response bytes, item by item. A single string would be traversed three more
 * times, to measure, encode and copy it, and one non-Latin character would double its size.
 */
export function jsonArrayBytes(items: readonly string[]): Buffer {
  let fits = true;
  for (let i = 0; fits && i < items.length; i++) fits = ready.write(`${i === 0 ? '[' : ','}${items[i]}`);
  fits &&= ready.write(items.length === 0 ? '[]' : ']');
  const written = ready.take();
  return fits ? Buffer.from(written) : Buffer.from(`[${items.join(',')}]`);
}
