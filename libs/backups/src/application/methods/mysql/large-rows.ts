import { MAX_PACKET_BYTES } from './mysql-tools.js';

/** In a dump a row takes twice its bytes, and more than the server accepts by itself. */
export async function withLargeRows<T>(ask: (sql: string) => Promise<string[]>, load: () => Promise<T>): Promise<T> {
  const [before = ''] = await ask('select @@global.max_allowed_packet;');
  await ask(`set global max_allowed_packet = ${MAX_PACKET_BYTES};`);
  try {
    return await load();
  } finally {
    // Whoever ended the load has ended this as well, when the server is gone: it starts with its own value.
    if (/^\d+$/.test(before)) await ask(`set global max_allowed_packet = ${before};`).catch(() => undefined);
  }
}
