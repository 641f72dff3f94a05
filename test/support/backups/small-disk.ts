import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BackupBed } from '../services/backup-bed.js';

const FILLER = 'filler';

/** Whether this process may mount a file system. */
export const mayMount = process.getuid?.() === 0;

/** A small file system in the place of a service's volume. The server starts on it with no data. */
export class SmallDisk {
  private constructor(
    private readonly backups: BackupBed,
    private readonly serviceId: string,
    private readonly source: string,
  ) {}

  /** @param folder where the volume is in the container @param size as the mount option of tmpfs, such as `24m` */
  static async under(backups: BackupBed, serviceId: string, folder: string, size: string): Promise<SmallDisk> {
    const { Mounts } = await backups.bed.inspect((await backups.bed.container(serviceId)).Id);
    const { Source } = (Mounts as { Source: string; Destination: string }[]).find(
      ({ Destination }) => Destination === folder,
    )!;
    const disk = new SmallDisk(backups, serviceId, Source);
    await disk.#act('stop');
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', Source]);
    await disk.#act('start');
    return disk;
  }

  /**
   * Written from outside, as the container's memory limit counts what is written to the file system from inside.
   * @param freeKb what is left of the disk
   */
  fill(freeKb: number): void {
    const { bavail, bsize } = statfsSync(this.source);
    writeFileSync(path.join(this.source, FILLER), Buffer.alloc(bavail * bsize - freeKb * 1024));
  }

  clear(): void {
    rmSync(path.join(this.source, FILLER), { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.source]);
  }

  async #act(action: 'stop' | 'start'): Promise<void> {
    await this.backups.admin.post(`/api/v1/services/${this.serviceId}/${action}`);
    await this.backups.bed.panel.until(this.serviceId, action === 'stop' ? 'stopped' : 'running');
  }
}
