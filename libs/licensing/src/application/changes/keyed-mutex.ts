import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';

/** Serialises calls on one license within this process, in the order in which they arrived. */
@Injectable()
export class KeyedMutex {
  private readonly last = new Map<Uuid, Promise<unknown>>();

  take<T>(licenseId: Uuid, work: () => Promise<T>): Promise<T> {
    const mine = this.last.get(licenseId)?.then(work) ?? work();
    const leave = () => {
      if (this.last.get(licenseId) === settled) this.last.delete(licenseId);
    };
    const settled = mine.then(leave, leave);
    this.last.set(licenseId, settled);
    return mine;
  }
}
