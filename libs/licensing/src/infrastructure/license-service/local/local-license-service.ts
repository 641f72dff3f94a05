import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { Unavailable } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import type { SecretText } from '#kernel/crypto/secret-text';
import type { UnitOfWork } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { isIncomplete } from '#platform/database/database-errors';
import type { SetStatement } from '#platform/database/batching/set-statement';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { ChangeCall } from '../../../application/ports/license-repository.js';
import {
  JoiningLicenseService,
  type LicenseMetadata,
  type LicenseOrder,
  type NewKey,
  type UpstreamLicense,
} from '../../../application/ports/license-service.js';
import { Editions } from '../../../domain/editions.js';
import { LicenseKey } from '../../../domain/license-key.js';
import {
  EXPIRY,
  ISSUE,
  METADATA,
  POLICY,
  RECORD,
  REVOKED,
  SUSPENDED,
  type NewRecord,
  type RecordChange,
} from './record-statements.js';

const FIND = `
  select p.edition, l.suspended, l.expires_at as "expiresAt", l.metadata_sequence as sequence
    from license_service.licenses l join license_service.policies p on p.id = l.policy_id
   where l.id = $1 and l.revoked_at is null`;

const POLICY_OF_EDITION = {
  name: 'license-service-policy-of-edition',
  text: `insert into license_service.policies (id, edition, created_at) values ($1, $2, $3)
    on conflict (edition) do nothing`,
};

/**
 * The license service inside our own database. A call joins the transaction of its caller and is undone with it; it
 * never holds a second connection.
 */
@Injectable()
export class LocalLicenseService extends JoiningLicenseService {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly editions: Editions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  /** Each repeat gives a new key, unless the order names one; the key before it finds nothing any more. */
  issue(order: LicenseOrder): Promise<SecretText> {
    return this.transactions.run(async (unit) => {
      const key = order.key ? LicenseKey.of(order.key) : LicenseKey.generate(this.randomness);
      if (order.key) await this.assertFree(key, order.upstreamLicenseId);
      const known = (await this.insert(unit, order, key)) ?? (await this.insertWithPolicy(unit, order, key));
      if (known?.revokedAt) throw refused('license-record-revoked');
      return key.secret;
    });
  }

  record(unit: UnitOfWork, order: Omit<LicenseOrder, 'key'>): NewKey {
    if (!this.editions.has(order.edition)) throw refused('edition-without-policy');
    const key = LicenseKey.generate(this.randomness);
    const made = this.transactions.each(RECORD, { order, key, at: this.clock.now() }, unit);
    return { key: key.secret, recorded: made.then(() => undefined, thrown('edition-without-policy')) };
  }

  async change(unit: UnitOfWork, id: Uuid, { call, edition }: ChangeCall): Promise<void> {
    switch (call) {
      case 'suspend':
        return this.write(unit, SUSPENDED, id, true);
      case 'resume':
        return this.write(unit, SUSPENDED, id, false);
      case 'terminate':
        await this.transactions.each(REVOKED, { id, value: this.clock.now() }, unit);
        return;
      case 'edition':
        // The second finds what the first made; neither waits, for it may be the last that a unit of work does.
        await Promise.all([this.insertPolicy(unit, edition ?? ''), this.write(unit, POLICY, id, edition ?? '')]);
    }
  }

  suspend(id: Uuid): Promise<void> {
    return this.transactions.run((unit) => this.change(unit, id, { call: 'suspend', edition: null }));
  }

  reinstate(id: Uuid): Promise<void> {
    return this.transactions.run((unit) => this.change(unit, id, { call: 'resume', edition: null }));
  }

  revoke(id: Uuid): Promise<void> {
    return this.transactions.run((unit) => this.change(unit, id, { call: 'terminate', edition: null }));
  }

  changeEdition(id: Uuid, edition: string): Promise<void> {
    return this.transactions.run((unit) => this.change(unit, id, { call: 'edition', edition }));
  }

  changeExpiry(id: Uuid, expiresAt: Date | null): Promise<void> {
    return this.transactions.run((unit) => this.write(unit, EXPIRY, id, expiresAt));
  }

  syncMetadata(id: Uuid, metadata: LicenseMetadata): Promise<void> {
    return this.transactions.run((unit) => this.write(unit, METADATA, id, metadata));
  }

  async find(id: Uuid): Promise<UpstreamLicense | null> {
    const rows = await this.transactions.reader.query<(Omit<UpstreamLicense, 'sequence'> & { sequence: string })[]>(
      FIND,
      [id],
    );
    return rows[0] ? { ...rows[0], upstreamLicenseId: id, sequence: Number(rows[0].sequence) } : null;
  }

  private async write<V>(
    unit: UnitOfWork,
    statement: SetStatement<RecordChange<V>>,
    id: Uuid,
    value: V,
  ): Promise<void> {
    await this.transactions.each(statement, { id, value }, unit).catch(thrown('license-record-missing'));
  }

  private async assertFree(key: LicenseKey, id: Uuid): Promise<void> {
    const rows = await this.transactions.writer.query<unknown[]>(
      'select 1 from license_service.licenses where key_hash = $1 and id <> $2',
      [key.hash, id],
    );
    if (rows.length > 0) throw refused('license-key-taken');
  }

  /** Undefined when the edition has no policy yet. */
  private async insert(
    unit: UnitOfWork,
    order: LicenseOrder,
    key: LicenseKey,
  ): Promise<{ revokedAt: Date | null } | undefined> {
    const record = { order, key, at: this.clock.now() };
    const [row] = await this.transactions.each<{ revokedAt: Date | null }, NewRecord>(ISSUE, record, unit);
    return row;
  }

  private async insertWithPolicy(
    unit: UnitOfWork,
    order: LicenseOrder,
    key: LicenseKey,
  ): Promise<{ revokedAt: Date | null } | undefined> {
    await this.insertPolicy(unit, order.edition);
    return this.insert(unit, order, key);
  }

  /** Makes the policy of an edition when the edition is first sold. */
  private async insertPolicy(unit: UnitOfWork, edition: string): Promise<void> {
    if (!this.editions.has(edition)) throw refused('edition-without-policy');
    await this.transactions.prepared(POLICY_OF_EDITION, [this.randomness.uuid(), edition, this.clock.now()], unit);
  }
}

function refused(slug: string): Unavailable {
  return new Unavailable(slug, 'The license service refuses the call.');
}

/** @param slug of a statement that could not do the whole of its work */
function thrown(slug: string): (error: unknown) => never {
  return (error) => {
    throw isIncomplete(error) ? refused(slug) : error;
  };
}
