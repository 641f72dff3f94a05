import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { Unavailable } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { isIncomplete } from '#platform/database/database-errors';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { ChangeCall } from '../../../application/ports/license-repository.js';
import {
  JoiningLicenseService,
  type LicenseMetadata,
  type LicenseOrder,
  type JoinedCall,
  type UpstreamLicense,
} from '../../../application/ports/license-service.js';
import { Editions } from '../../../domain/editions.js';
import { JoinedStatement } from '../../writing/joined-statement.js';
import { LicenseKey } from '../../../domain/license-key.js';
import { EDITION, EXPIRY, ISSUE, METADATA, RECORD, REVOKED, SUSPENDED, type NewRecord } from './record-statements.js';

const FIND = `
  select p.edition, l.suspended, l.expires_at as "expiresAt", l.metadata_sequence as sequence
    from license_service.licenses l join license_service.policies p on p.id = l.policy_id
   where l.id = $1 and l.revoked_at is null`;

const POLICY_OF_EDITION = {
  name: 'license-service-policy-of-edition',
  text: `insert into license_service.policies (id, edition, created_at) values ($1, $2, $3)
    on conflict (edition) do nothing`,
};

/** The license service in our own database. A call joins its caller's transaction and rolls back with it. */
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

  /** Each repeat returns a new key, unless the order names one; the previous key becomes invalid. */
  issue(order: LicenseOrder): Promise<SecretText> {
    return this.transactions.run(async () => {
      const key = order.key ? LicenseKey.of(order.key) : LicenseKey.generate(this.randomness);
      if (order.key) await this.assertFree(key, order.upstreamLicenseId);
      const known = (await this.insert(order, key)) ?? (await this.insertWithPolicy(order, key));
      if (known?.revokedAt) throw refused('license-record-revoked');
      return key.secret;
    });
  }

  joinIssue(order: Omit<LicenseOrder, 'key'>): { key: SecretText; call: JoinedCall } {
    this.assertSold(order.edition);
    const key = LicenseKey.generate(this.randomness);
    const record = { order, key, at: this.clock.now() };
    return { key: key.secret, call: new JoinedStatement(RECORD, record, () => refused('edition-without-policy')) };
  }

  joinChange(id: Uuid, { call, edition }: ChangeCall): JoinedStatement {
    const at = this.clock.now();
    switch (call) {
      case 'suspend':
        return new JoinedStatement(SUSPENDED, { id, value: true }, missing);
      case 'resume':
        return new JoinedStatement(SUSPENDED, { id, value: false }, missing);
      case 'terminate':
        return new JoinedStatement(REVOKED, { id, value: at }, missing);
      case 'edition':
        this.assertSold(edition ?? '');
        return new JoinedStatement(EDITION, { id, value: { edition: edition ?? '', at } }, missing);
    }
  }

  suspend(id: Uuid): Promise<void> {
    return this.change(id, { call: 'suspend', edition: null });
  }

  reinstate(id: Uuid): Promise<void> {
    return this.change(id, { call: 'resume', edition: null });
  }

  revoke(id: Uuid): Promise<void> {
    return this.change(id, { call: 'terminate', edition: null });
  }

  changeEdition(id: Uuid, edition: string): Promise<void> {
    return this.change(id, { call: 'edition', edition });
  }

  changeExpiry(id: Uuid, expiresAt: Date | null): Promise<void> {
    return this.make(new JoinedStatement(EXPIRY, { id, value: expiresAt }, missing));
  }

  syncMetadata(id: Uuid, metadata: LicenseMetadata): Promise<void> {
    return this.make(new JoinedStatement(METADATA, { id, value: metadata }, missing));
  }

  async find(id: Uuid): Promise<UpstreamLicense | null> {
    const rows = await this.transactions.reader.query<(Omit<UpstreamLicense, 'sequence'> & { sequence: string })[]>(
      FIND,
      [id],
    );
    return rows[0] ? { ...rows[0], upstreamLicenseId: id, sequence: Number(rows[0].sequence) } : null;
  }

  private async change(id: Uuid, change: ChangeCall): Promise<void> {
    return this.make(this.joinChange(id, change));
  }

  private make<Q>({ statement, question, refusal }: JoinedStatement<Q>): Promise<void> {
    return this.transactions.run(async () => {
      await this.transactions.ask(statement, question).catch((error: unknown) => {
        throw isIncomplete(error) ? refusal() : error;
      });
    });
  }

  private assertSold(edition: string): void {
    if (!this.editions.has(edition)) throw refused('edition-without-policy');
  }

  private async assertFree(key: LicenseKey, id: Uuid): Promise<void> {
    const rows = await this.transactions.writer.query<unknown[]>(
      'select 1 from license_service.licenses where key_hash = $1 and id <> $2',
      [key.hash, id],
    );
    if (rows.length > 0) throw refused('license-key-taken');
  }

  /** Undefined if the edition has no policy yet. */
  private async insert(order: LicenseOrder, key: LicenseKey): Promise<{ revokedAt: Date | null } | undefined> {
    const record = { order, key, at: this.clock.now() };
    const [row] = await this.transactions.ask<{ revokedAt: Date | null }, NewRecord>(ISSUE, record);
    return row;
  }

  /** Creates the policy of an edition when it is first sold. */
  private async insertWithPolicy(
    order: LicenseOrder,
    key: LicenseKey,
  ): Promise<{ revokedAt: Date | null } | undefined> {
    this.assertSold(order.edition);
    const policy = [this.randomness.uuid(), order.edition, this.clock.now()];
    await this.transactions.prepared(POLICY_OF_EDITION, policy);
    return this.insert(order, key);
  }
}

function refused(slug: string): Unavailable {
  return new Unavailable(slug, 'The license service refused the call.');
}

const missing = (): Unavailable => refused('license-record-missing');
