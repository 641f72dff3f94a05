import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { AgreedTime } from '../ports/agreed-time.js';
import { WalRepository } from '../ports/wal-repository.js';
import { LogShipping } from './log-shipping.js';
import { segmentKey, StoredLog } from './stored-log.js';

const DAY_MS = 86_400_000;
/** Length of the recovery window. */
const KEEP_MS = 7 * DAY_MS;

/** Removes archived log and base backups that are too old, and detects those that are missing from the store. */
@Injectable()
export class LogKeeping {
  constructor(
    private readonly streams: WalRepository,
    private readonly shipping: LogShipping,
    private readonly stored: StoredLog,
    private readonly time: AgreedTime,
  ) {}

  /** Removes what the recovery window no longer needs. */
  async keep(serviceId: Uuid): Promise<void> {
    const stream = await this.streams.stream(serviceId);
    const bases = await this.streams.bases(serviceId);
    const now = (await this.time.earliest()).getTime();
    // The newest base backup from before the window is still needed for moments at its beginning.
    const old = bases.filter(({ endedAt }) => endedAt.getTime() < now - KEEP_MS).slice(0, stream ? -1 : undefined);
    for (const { id, storeKey } of old) {
      await this.stored.store.remove(storeKey);
      await this.streams.removeBase(id);
    }
    const first = (await this.streams.bases(serviceId))[0]?.firstSegment;
    // Without a base backup one may be being taken, which needs the segments.
    if (first === undefined && stream) return;
    for (const { name } of await this.streams.segments(serviceId)) {
      if (first !== undefined && name >= first) return;
      await this.stored.store.remove(segmentKey(serviceId, name));
      await this.streams.removeSegment(serviceId, name);
    }
  }

  /** Removes all base backups and the archived log of a service that is deleted together with its backups. */
  async discard(serviceId: Uuid): Promise<void> {
    await this.streams.remove(serviceId);
    for (const { id, storeKey } of await this.streams.bases(serviceId)) {
      await this.stored.store.remove(storeKey);
      await this.streams.removeBase(id);
    }
    for (const { name } of await this.streams.segments(serviceId)) {
      await this.stored.store.remove(segmentKey(serviceId, name));
      await this.streams.removeSegment(serviceId, name);
    }
  }

  /** Finds parts that are missing from the store or have another size, and records that the window is broken. */
  async check(serviceId: Uuid): Promise<void> {
    const sizes = new Map<string, number>();
    for await (const { key, bytes } of this.stored.store.list(`services/${serviceId}/log/`)) sizes.set(key, bytes);
    const stream = await this.streams.stream(serviceId);
    for (const { name, bytes } of await this.streams.segments(serviceId)) {
      if (sizes.get(segmentKey(serviceId, name)) === bytes) continue;
      await this.streams.removeSegment(serviceId, name);
      if (stream)
        await this.shipping.lose(stream, `The segment ${name} of the archived log is no longer in the store.`);
    }
    for (const { id, storeKey, bytes } of await this.streams.bases(serviceId)) {
      if ((await this.stored.store.head(storeKey))?.bytes === bytes) continue;
      await this.streams.removeBase(id);
      if (stream) await this.shipping.lose(stream, 'A copy of the files is no longer in the store.');
    }
  }
}
