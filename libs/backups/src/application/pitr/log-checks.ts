import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Uuid } from '#kernel/crypto/uuid';
import { WalRepository } from '../ports/wal-repository.js';
import { LogKeeping } from './log-keeping.js';
import { LogShipping } from './log-shipping.js';
import { segmentKey, StoredLog } from './stored-log.js';

const TRIES = 30;
const PAUSE_MS = 1_000;

/** A part of an archived log, as it was put into the store. */
interface Part {
  readonly key: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Forgets it, and tells the owner. */
  readonly lose: () => Promise<void>;
}

/** Whether archived logs still lie in the store as they were put there. A window ends at a part that does not. */
@Injectable()
export class LogChecks {
  constructor(
    private readonly streams: WalRepository,
    private readonly shipping: LogShipping,
    private readonly keeping: LogKeeping,
    private readonly stored: StoredLog,
  ) {}

  /** By the size of each part. */
  async sizes(serviceId: Uuid): Promise<void> {
    const { store } = this.stored;
    const listed = new Map<string, number>();
    for await (const { key, bytes } of store.list(`services/${serviceId}/log/`)) listed.set(key, bytes);
    for (const part of await this.parts(serviceId)) {
      // What a list leaves out may be there all the same.
      const isThere = listed.get(part.key) === part.bytes || (await store.head(part.key))?.bytes === part.bytes;
      if (!isThere) await this.lose(serviceId, part);
    }
  }

  /** Reads every part as a whole: one of the same size can hold something else. */
  async contents(serviceId: Uuid, signal: AbortSignal): Promise<void> {
    for (const part of await this.parts(serviceId)) {
      signal.throwIfAborted();
      if ((await this.stored.defect(part.key, part.sha256)) !== null) await this.lose(serviceId, part);
    }
  }

  /** Not while the log is shipped: whoever ships it writes the same record. */
  private async lose(serviceId: Uuid, part: Part): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      // What expires is removed from the store first, and from the records then.
      await sleep(PAUSE_MS);
      const isDone = await this.streams.exclusively(serviceId, 'log', async () => {
        if (!(await this.parts(serviceId)).some(({ key }) => key === part.key)) return;
        await part.lose();
      });
      if (isDone) return;
    }
  }

  private async parts(serviceId: Uuid): Promise<readonly Part[]> {
    const segments = (await this.streams.segments(serviceId)).map(({ name, sha256, bytes }) => ({
      ...{ key: segmentKey(serviceId, name), sha256, bytes },
      lose: () => this.loseSegment(serviceId, name),
    }));
    const copies = (await this.streams.bases(serviceId)).map(({ id, storeKey: key, sha256, bytes }) => ({
      ...{ key, sha256, bytes },
      lose: () => this.keeping.loseCopy(serviceId, id),
    }));
    return [...segments, ...copies];
  }

  private async loseSegment(serviceId: Uuid, name: string): Promise<void> {
    await this.streams.removeSegment(serviceId, name);
    const stream = await this.streams.stream(serviceId);
    const problem = `The segment ${name} of the archived log is no longer in the store, or was changed there.`;
    if (stream) await this.shipping.lose(stream, problem);
  }
}
