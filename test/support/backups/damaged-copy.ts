import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';

/** A base backup of PostgreSQL that lacks the file of one table. @param packed as it is downloaded */
export async function withoutOneTable(packed: Buffer): Promise<Buffer> {
  const [from, to] = [extract(), pack()];
  let isLeftOut = false;
  from.on('entry', (header, content, next) => {
    const isTable = /^base\/\d{5,}\/(1[6-9]|[2-9]\d)\d{3}$/.test(header.name) && !isLeftOut;
    isLeftOut ||= isTable;
    if (isTable) content.resume().on('end', next);
    else content.pipe(to.entry(header, next));
  });
  from.on('finish', () => to.finalize());
  from.end(gunzipSync(packed));
  const chunks: Buffer[] = [];
  for await (const chunk of to) chunks.push(chunk as Buffer);
  if (!isLeftOut) throw new Error('the copy has no file of a table');
  return gzipSync(Buffer.concat(chunks));
}
