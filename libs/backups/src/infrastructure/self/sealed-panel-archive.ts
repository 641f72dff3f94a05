import { Readable } from 'node:stream';
import pg from 'pg';
import type { KeyRing } from '#platform/key-ring';
import { PanelArchive } from '../../application/ports/panel-archive.js';
import { BackupKeyUnavailable, type PanelBackupKey } from '../../application/ports/panel-backup-key.js';
import { sealStream } from '../sealing/age-streams.js';
import { dumpArchive } from './dump-archive.js';
import { ringIdentities } from './ring-identities.js';

const CONNECT_MS = 5_000;

export interface PanelArchiveOptions {
  readonly databaseUrl: string;
  readonly keyRing: KeyRing | null;
  /** BACKUP_AGE_RECIPIENT */
  readonly furtherRecipient: string | null;
}

/**
 * Encrypts the archive for the panel's backup key, for a key derived from the key ring and for BACKUP_AGE_RECIPIENT.
 */
export class SealedPanelArchive extends PanelArchive {
  constructor(
    private readonly options: PanelArchiveOptions,
    private readonly panelKey: PanelBackupKey,
  ) {
    super();
  }

  sealed(at: Date): Readable {
    const { keyRing, furtherRecipient } = this.options;
    return sealStream(Readable.from(this.archive(at), { objectMode: false }), async () => {
      if (!keyRing) throw new BackupKeyUnavailable();
      const [[own], [ring]] = await Promise.all([this.panelKey.all(), ringIdentities(keyRing)]);
      return new Set([own.recipient, ring!.recipient, ...(furtherRecipient === null ? [] : [furtherRecipient])]);
    });
  }

  /** Uses a separate connection, because its transaction stays open for the whole dump. */
  private async *archive(at: Date): AsyncGenerator<Buffer> {
    const { databaseUrl: connectionString, keyRing } = this.options;
    if (!keyRing) throw new BackupKeyUnavailable();
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: 'tenantry-backup',
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const secrets = { secretsKeys: keyRing.setting.reveal() };
      yield* dumpArchive(client, secrets, at) as AsyncIterable<Buffer>;
    } finally {
      await client.end();
    }
  }
}
