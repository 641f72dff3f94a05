import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Randomness } from '#kernel/crypto/randomness';
import type { Clock } from '#kernel/time/clock';
import type { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { KeyRing, SealContext } from '#platform/key-ring';
import { BackupKeyUnavailable, PanelBackupKey, type BackupIdentity } from '../../application/ports/panel-backup-key.js';
import { newIdentity } from '../sealing/age-key.js';

interface Row {
  readonly id: Uuid;
  readonly recipient: string;
  readonly sealed: Buffer;
}

type Identities = readonly [BackupIdentity, ...BackupIdentity[]];

/** Keeps the panel's backup keys in `backups.panel_keys`, encrypted with the key ring, and caches them once read. */
export class SqlPanelBackupKey extends PanelBackupKey {
  private known: Promise<Identities> | null = null;

  constructor(
    private readonly transactions: TypeOrmTransactions,
    /** Null when SECRETS_KEYS is not set; `all` throws then. */
    private readonly keyRing: KeyRing | null,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  all(): Promise<Identities> {
    const known = this.known ?? this.read();
    this.known = known;
    known.catch(() => (this.known = null));
    return known;
  }

  private async read(): Promise<Identities> {
    const ring = this.keyRing;
    if (!ring) throw new BackupKeyUnavailable();
    const found = await this.rows(this.transactions.reader);
    const [first, ...others] = found.length > 0 ? found : await this.insertFirst(ring);
    if (!first) throw new BackupKeyUnavailable();
    return [open(ring, first), ...others.map((row) => open(ring, row))];
  }

  /** The lock makes sure that two processes that find no key at the same time create only one. */
  private insertFirst(ring: KeyRing): Promise<Row[]> {
    return this.transactions.run(async () => {
      await this.transactions.writer.query('lock table backups.panel_keys in exclusive mode');
      const found = await this.rows(this.transactions.writer);
      if (found.length > 0) return found;
      const id = this.randomness.uuid();
      const { recipient, identity } = await newIdentity();
      const sealed = ring.seal(identity.reveal(), contextOf(id));
      await this.transactions.writer.query(
        'insert into backups.panel_keys (id, recipient, sealed_identity, created_at) values ($1, $2, $3, $4)',
        [id, recipient, sealed, this.clock.now()],
      );
      return [{ id, recipient, sealed }];
    });
  }

  private rows(database: { query<T>(sql: string): Promise<T> }): Promise<Row[]> {
    return database.query<Row[]>(
      'select id, recipient, sealed_identity as sealed from backups.panel_keys order by created_at desc, id desc',
    );
  }
}

function open(ring: KeyRing, { id, recipient, sealed }: Row): BackupIdentity {
  try {
    return { recipient, identity: new SecretText(ring.open(sealed, contextOf(id)).toString('utf8')) };
  } catch (error) {
    throw new BackupKeyUnavailable({ cause: error });
  }
}

function contextOf(rowId: Uuid): SealContext {
  return { purpose: 'backup-identity', table: 'backups.panel_keys', column: 'sealed_identity', rowId };
}
