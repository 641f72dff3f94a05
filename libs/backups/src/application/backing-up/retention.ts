import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '#libs/services';
import { expiries } from '../../domain/retention.js';
import { BackupJournal } from '../backup-journal.js';
import { Policies } from '../policies.js';
import { AgreedTime } from '../ports/agreed-time.js';
import { BackedUpServices } from '../ports/backed-up-services.js';
import { BackupStore } from '../ports/backup-store.js';

const AT_ONCE = 50;

/** Sets the expiry of backups by the policy of their service, and removes expired backups from the store. */
@Injectable()
export class Retention {
  constructor(
    private readonly journal: BackupJournal,
    private readonly policies: Policies,
    private readonly services: BackedUpServices,
    private readonly store: BackupStore,
    private readonly time: AgreedTime,
  ) {}

  /** When one of the service's kept backups was last verified; null when none is. */
  async lastProofAt(serviceId: Uuid): Promise<Date | null> {
    const times = (await this.journal.backups.kept(serviceId)).flatMap(({ state }) =>
      state.verification?.verifiedAt ? [state.verification.verifiedAt.getTime()] : [],
    );
    return times.length === 0 ? null : new Date(Math.max(...times));
  }

  /** Recalculates until when each backup of a service is kept. */
  async apply(serviceId: Uuid): Promise<void> {
    const { backups, transactions } = this.journal;
    const exists = (await this.services.existing([serviceId])).has(serviceId);
    const policy = await this.policies.of(serviceId);
    const kept = (await backups.kept(serviceId)).map(({ state }) => ({
      ...state,
      isVerified: state.verification?.status === 'verified',
    }));
    for (const [id, expiresAt] of expiries(kept, policy, exists)) {
      await transactions.run(async () => {
        const backup = await backups.getForUpdate(OrganisationScope.all, id);
        if (backup?.state.status !== 'succeeded' || isSame(backup.state.expiresAt, expiresAt)) return;
        backup.expireAt(expiresAt);
        await backups.update(backup);
      });
    }
  }

  async applyToAll(): Promise<void> {
    for (const id of await this.journal.backups.servicesWithBackups()) await this.apply(id);
  }

  /**
   * Removes some of the expired backups. @returns how many were due
   *
   * The record changes before the object is removed: an object without a record can be found and cleared away, whereas
   * a record without an object would promise a backup that does not exist.
   */
  async expireDue(): Promise<number> {
    const due = await this.journal.backups.dueToExpire(await this.time.earliest(), AT_ONCE);
    for (const id of due) await this.remove(id);
    return due.length;
  }

  /** @returns false when the backup has not succeeded, has expired already or is being verified */
  async remove(id: Uuid): Promise<boolean> {
    const { backups, transactions } = this.journal;
    const key = await transactions.run(async () => {
      const backup = await backups.getForUpdate(OrganisationScope.all, id);
      // A worker that is verifying it would overwrite this change with its result.
      if (backup?.state.status !== 'succeeded' || backup.state.verification?.status === 'running') return null;
      backup.expire();
      await this.journal.update(backup);
      return backup.state.storeKey;
    });
    if (key !== null) await this.store.remove(key);
    return key !== null;
  }
}

function isSame(a: Date | null, b: Date | null): boolean {
  return a?.getTime() === b?.getTime();
}
