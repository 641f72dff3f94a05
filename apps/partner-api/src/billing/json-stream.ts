import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** Streams a JSON document as fast as the caller reads it: it may have a million rows. */
export function jsonStream(content: AsyncGenerator<string | Buffer>): StreamableFile {
  const type = 'application/json; charset=utf-8';
  return new StreamableFile(Readable.from(content, { objectMode: false }), { type });
}
