import { Utf8Buffer } from '#kernel/text/utf8-buffer';

const ready = new Utf8Buffer(1_048_576);

/**
 * A long array of JSON texts as the bytes of an answer, item by item. As one text it would be walked through three more
 * times, to measure, to encode and to copy it, and one letter that is not Latin would double it.
 */
export function jsonArrayBytes(items: readonly string[]): Buffer {
  let fits = true;
  for (let i = 0; fits && i < items.length; i++) fits = ready.write(`${i === 0 ? '[' : ','}${items[i]}`);
  fits &&= ready.write(items.length === 0 ? '[]' : ']');
  const written = ready.take();
  return fits ? Buffer.from(written) : Buffer.from(`[${items.join(',')}]`);
}
