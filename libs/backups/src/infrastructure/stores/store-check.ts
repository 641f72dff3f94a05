import { Readable } from 'node:stream';
import type { Randomness } from '#kernel/crypto/randomness';
import { BackupDestinationUnusable, type BackupStore } from '../../application/ports/backup-store.js';

const CHECK_BYTES = 4096;

/** Writes an object, reads it back, compares and deletes it. @throws BackupDestinationUnusable */
export async function checkByRoundTrip(store: BackupStore, randomness: Randomness): Promise<void> {
  const key = `checks/${randomness.uuid()}`;
  const content = randomness.bytes(CHECK_BYTES);
  await store.put(key, Readable.from([content]));
  const read: Buffer[] = [];
  for await (const chunk of (await store.open(key)) as AsyncIterable<Buffer>) read.push(chunk);
  if (!Buffer.concat(read).equals(content))
    throw new BackupDestinationUnusable('the destination returned other bytes than it was given');
  await store.remove(key);
  if ((await store.head(key)) !== null) throw new BackupDestinationUnusable('the destination does not delete');
}

/** @throws BackupDestinationUnusable when the stored bytes are not those that were sent */
export function assertSame(sent: { bytes: number; sha256: string }, stored: { bytes: number; sha256: string }): void {
  if (stored.bytes !== sent.bytes)
    throw new BackupDestinationUnusable(
      `the destination holds ${stored.bytes} bytes of ${sent.bytes} that it was given`,
    );
  if (stored.sha256 !== sent.sha256)
    throw new BackupDestinationUnusable('the destination holds other bytes than it was given');
}
