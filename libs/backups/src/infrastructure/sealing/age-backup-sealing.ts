import type { Readable } from 'node:stream';
import { BackupSealing } from '../../application/ports/backup-sealing.js';
import type { PanelBackupKey } from '../../application/ports/panel-backup-key.js';
import { openStream, sealStream } from './age-streams.js';

/** Encrypts in the age format, so that the owner of a key can open a backup with `age -d` and without the panel. */
export class AgeBackupSealing extends BackupSealing {
  constructor(
    private readonly panelKey: PanelBackupKey,
    /** BACKUP_AGE_RECIPIENT, whose owner can read all backups; null when not set. */
    private readonly furtherRecipient: string | null,
  ) {
    super();
  }

  seal(plain: Readable, recipients: readonly string[]): Readable {
    return sealStream(plain, async () => {
      const [{ recipient }] = await this.panelKey.all();
      return new Set([recipient, ...(this.furtherRecipient === null ? [] : [this.furtherRecipient]), ...recipients]);
    });
  }

  open(sealed: Readable): Readable {
    return openStream(sealed, async () => (await this.panelKey.all()).map(({ identity }) => identity.reveal()));
  }
}
