import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/uuid';

/** Within this process calls on one license come one after the other, in the order in which they came. */
@Injectable()
export class LicenseTurns {
  private readonly last = new Map<Uuid, Promise<unknown>>();

  async take<T>(licenseId: Uuid, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(licenseId) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => undefined);
    this.last.set(licenseId, settled);
    try {
      return await mine;
    } finally {
      if (this.last.get(licenseId) === settled) this.last.delete(licenseId);
    }
  }
}
