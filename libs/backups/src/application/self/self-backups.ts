import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { BackupStore, type StoredFile } from '../ports/backup-store.js';
import { PanelArchive } from '../ports/panel-archive.js';

const PREFIX = 'self/';
const KEY = /^self\/panel-\d{8}T\d{6}Z\.tar\.gz\.age$/;

export interface SelfBackup extends StoredFile {
  readonly key: string;
  readonly createdAt: Date;
}

/** Backups of the panel itself, in the same store as the backups of its services. */
@Injectable()
export class SelfBackups {
  constructor(
    private readonly store: BackupStore,
    private readonly archive: PanelArchive,
    private readonly clock: Clock,
  ) {}

  /** @throws BackupDestinationUnusable, BackupKeyUnavailable */
  async create(): Promise<SelfBackup> {
    const createdAt = this.clock.now();
    const key = `${PREFIX}panel-${createdAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.gz.age`;
    return { key, createdAt, ...(await this.store.put(key, this.archive.sealed(createdAt))) };
  }

  /** Removes all but the `count` newest backups. @returns the removed keys */
  async keepNewest(count: number): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.store.list(PREFIX)) if (KEY.test(key)) keys.push(key);
    const old = keys.sort().reverse().slice(count);
    for (const key of old) await this.store.remove(key);
    return old;
  }
}
