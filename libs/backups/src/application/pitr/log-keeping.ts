import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '#libs/services';
import type { Backup } from '../../domain/backup.js';
import { BackupStateRefuses } from '../../domain/backup-errors.js';
import { copyExpiries } from '../../domain/pitr/copy-retention.js';
import { reliable } from '../../domain/pitr/recovery-window.js';
import { BackupJournal } from '../backup-journal.js';
import { AgreedTime } from '../ports/agreed-time.js';
import { type StoredBase, WalRepository } from '../ports/wal-repository.js';
import { BaseCopies } from './base-copies.js';
import { segmentKey, StoredLog } from './stored-log.js';

const LOST = 'The copy is no longer in the store, or was changed there.';
const NEEDED =
  'This is the newest copy of the recovery window, which all later moments need. Turn point-in-time recovery off to delete it.';

/** Removes archived log and base backups that are too old or lost. */
@Injectable()
export class LogKeeping {
  constructor(
    private readonly streams: WalRepository,
    private readonly copies: BaseCopies,
    private readonly journal: BackupJournal,
    private readonly stored: StoredLog,
    private readonly time: AgreedTime,
  ) {}

  /** Removes what the recovery window no longer needs. */
  async keep(serviceId: Uuid): Promise<void> {
    const stream = await this.streams.stream(serviceId);
    const bases = await this.streams.bases(serviceId);
    const now = await this.time.earliest();
    const expiries = copyExpiries(bases, stream !== null);
    for (const base of bases) {
      const expiresAt = expiries.get(base.id) ?? null;
      if (expiresAt !== null && expiresAt <= now) await this.removeCopy(base);
      else if (expiresAt?.getTime() !== base.expiresAt?.getTime()) await this.noteExpiry(base.id, expiresAt);
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
    for (const base of await this.streams.bases(serviceId)) await this.removeCopy(base);
    for (const { name } of await this.streams.segments(serviceId)) {
      await this.stored.store.remove(segmentKey(serviceId, name));
      await this.streams.removeSegment(serviceId, name);
    }
  }

  /** Records that a base backup is missing from the store or was changed there. Another one is taken. */
  async loseCopy(serviceId: Uuid, id: Uuid): Promise<void> {
    const now = await this.time.shared();
    await this.change(id, (backup) => backup.lose(LOST, now));
    await this.streams.removeBase(id);
    await this.copies.distrust(serviceId, LOST);
  }

  /** @throws BackupStateRefuses for the newest copy while the log is archived */
  async assertNotNeeded({ id, state: { serviceId } }: Backup): Promise<void> {
    const newest = reliable(await this.streams.bases(serviceId)).at(-1);
    if ((await this.streams.stream(serviceId)) && newest?.id === id) throw new BackupStateRefuses(NEEDED);
  }

  /** Called after the backup's object was removed from the store. */
  forget(copyId: Uuid): Promise<void> {
    return this.streams.removeBase(copyId);
  }

  /** A worker that is trying the copy loses its lease by this. */
  private async removeCopy({ id, storeKey }: StoredBase): Promise<void> {
    await this.change(id, (backup) => backup.expire());
    await this.stored.store.remove(storeKey);
    await this.streams.removeBase(id);
  }

  private noteExpiry(id: Uuid, expiresAt: Date | null): Promise<void> {
    const { backups, transactions } = this.journal;
    return transactions.run(async () => {
      const backup = await backups.getForUpdate(OrganisationScope.all, id);
      if (!backup) return;
      backup.expireAt(expiresAt);
      await backups.update(backup);
    });
  }

  private change(id: Uuid, change: (backup: Backup) => void): Promise<void> {
    const { backups, transactions } = this.journal;
    return transactions.run(async () => {
      const backup = await backups.getForUpdate(OrganisationScope.all, id);
      if (backup?.state.status !== 'succeeded') return;
      change(backup);
      await this.journal.update(backup);
    });
  }
}
