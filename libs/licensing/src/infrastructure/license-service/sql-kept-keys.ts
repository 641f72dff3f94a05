import { Unavailable } from '#kernel/errors';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import type { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { KeyRing, SealContext } from '#platform/key-ring';
import { KeptKeys, type KeptKey } from '../../application/ports/kept-keys.js';

interface Row {
  readonly license_id: Uuid;
  readonly sealed_key: Buffer;
}

export class SqlKeptKeys extends KeptKeys {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly ring: KeyRing | null,
  ) {
    super();
  }

  get possible(): boolean {
    return this.ring !== null;
  }

  seal(licenseId: Uuid, key: SecretText): Buffer {
    return this.secrets().seal(key.reveal(), sealContext(licenseId));
  }

  async insert(keys: readonly KeptKey[]): Promise<void> {
    if (keys.length === 0) return;
    await this.transactions.writer.query(
      'insert into licensing.kept_keys (license_id, sealed_key) select * from unnest($1::uuid[], $2::bytea[])',
      [keys.map(({ licenseId }) => licenseId), keys.map(({ sealed }) => sealed)],
    );
  }

  async find(licenseId: Uuid): Promise<SecretText | null> {
    const rows: Row[] = await this.transactions.reader.query(
      'select license_id, sealed_key from licensing.kept_keys where license_id = $1',
      [licenseId],
    );
    return rows[0] ? this.open(rows[0]) : null;
  }

  async forget(licenseId: Uuid): Promise<void> {
    await this.transactions.writer.query('delete from licensing.kept_keys where license_id = $1', [licenseId]);
  }

  reseal(): Promise<{ resealed: number; upToDate: number }> {
    const ring = this.secrets();
    return this.transactions.run(async () => {
      const rows: Row[] = await this.transactions.writer.query('select * from licensing.kept_keys for update');
      const stale = rows.filter(({ sealed_key: sealed }) => ring.isStale(sealed));
      for (const row of stale) {
        await this.transactions.writer.query('update licensing.kept_keys set sealed_key = $2 where license_id = $1', [
          row.license_id,
          this.seal(row.license_id, this.open(row)),
        ]);
      }
      return { resealed: stale.length, upToDate: rows.length - stale.length };
    });
  }

  private open({ license_id: licenseId, sealed_key: sealed }: Row): SecretText {
    try {
      return new SecretText(this.secrets().open(sealed, sealContext(licenseId)).toString('utf8'));
    } catch (error) {
      throw new Unavailable('kept-key-sealed', 'An imported key cannot be decrypted.', { cause: error });
    }
  }

  private secrets(): KeyRing {
    if (!this.ring) throw new Error('SECRETS_KEYS is not set');
    return this.ring;
  }
}

function sealContext(rowId: Uuid): SealContext {
  return { purpose: 'imported-license-keys', table: 'licensing.kept_keys', column: 'sealed_key', rowId };
}
