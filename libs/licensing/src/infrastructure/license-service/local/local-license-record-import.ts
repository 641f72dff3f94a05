import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { Clock } from '#kernel/time/clock';
import { Randomness } from '#kernel/crypto/randomness';
import type { ImportedLicense } from '../../../application/import/imported-license.js';
import { LicenseRecordImport } from '../../../application/import/ports/license-record-import.js';
import { endOf } from '../../../application/issuing/orders.js';

/** Creates the records in the tables of the local license service, as it would have created them itself. */
@Injectable()
export class LocalLicenseRecordImport extends LicenseRecordImport {
  readonly elsewhere = false;

  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  async insert(licenses: readonly ImportedLicense[]): Promise<void> {
    const policies = await this.policies(licenses.map(({ record }) => record.edition));
    await this.transactions.writer.query(
      'insert into license_service.licenses select * from json_populate_recordset(null::license_service.licenses, $1)',
      [JSON.stringify(licenses.map((license) => this.row(license, policies.get(license.record.edition))))],
    );
  }

  private row({ record, keyHash }: ImportedLicense, policyId: string | undefined) {
    const { partnerId, customerId, contractId, ownerSequence: sequence } = record;
    return {
      id: record.upstreamLicenseId,
      // A random hash, so that a license without a known key matches no key.
      key_hash: `\\x${keyHash ?? this.randomness.bytes(32).toString('hex')}`,
      key_masked: record.keyMasked,
      policy_id: policyId,
      suspended: record.state === 'suspended',
      expires_at: endOf(record.expiresOn),
      metadata: { partnerId, customerId, contractId, sequence },
      metadata_sequence: sequence,
      created_at: record.issuedAt,
      revoked_at: record.terminatedAt,
    };
  }

  /** The policy of each edition, created when it is first needed. */
  private async policies(editions: readonly string[]): Promise<Map<string, string>> {
    const distinct = [...new Set(editions)].sort();
    const ids = distinct.map(() => this.randomness.uuid());
    await this.transactions.writer.query(
      `insert into license_service.policies (id, edition, created_at)
       select id, edition, $3 from unnest($1::uuid[], $2::text[]) as p (id, edition) on conflict (edition) do nothing`,
      [ids, distinct, this.clock.now()],
    );
    const rows = await this.transactions.writer.query<{ id: string; edition: string }[]>(
      'select id, edition from license_service.policies where edition = any($1)',
      [distinct],
    );
    return new Map(rows.map(({ id, edition }) => [edition, id]));
  }
}
