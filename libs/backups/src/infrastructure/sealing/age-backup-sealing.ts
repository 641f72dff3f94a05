import type { Readable } from 'node:stream';
import { BackupSealing } from '../../application/ports/backup-sealing.js';
import type { PanelBackupKey } from '../../application/ports/panel-backup-key.js';
import { openStream, sealStream } from './age-streams.js';

/** The format of age: who has one of the keys opens a backup with `age -d`, without the panel. */
export class AgeBackupSealing extends BackupSealing {
  constructor(
    private readonly panelKey: PanelBackupKey,
    /** BACKUP_AGE_RECIPIENT, which can read everything. */
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
