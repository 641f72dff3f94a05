import { randomBytes } from 'node:crypto';
import { Unavailable } from '#kernel/errors';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  LicenseService,
  type LicenseMetadata,
  type LicenseOrder,
  type UpstreamLicense,
} from '../../../libs/licensing/src/application/ports/license-service.js';

/** When a call fails: before it has any effect, or after its full effect. The caller cannot tell the difference. */
export type Fault = 'before' | 'after';

interface FakeRecord {
  edition: string;
  suspended: boolean;
  expiresAt: Date | null;
  metadata: LicenseMetadata;
  key: SecretText;
}

type Operation = Exclude<keyof LicenseService, symbol>;

/** A license service in memory that passes the same contract suite as the adapters and can fail on demand. */
export class FakeLicenseService extends LicenseService {
  /** The existing records. Revoked ones are removed. */
  readonly records = new Map<Uuid, FakeRecord>();
  /** Every call, including failed ones. */
  readonly calls: { operation: Operation; upstreamLicenseId: Uuid }[] = [];
  private readonly revoked = new Set<Uuid>();
  private readonly faults: { operation: Operation; fault: Fault }[] = [];
  private gate: Promise<void> | null = null;

  /** Lets the next call of `operation` throw `Unavailable`. Several faults of one operation are queued. */
  failNext(operation: Operation, fault: Fault): void {
    this.faults.push({ operation, fault });
  }

  /** Lets calls wait before they have any effect. @returns a function that releases them */
  hold(): () => void {
    let release: () => void = () => undefined;
    this.gate = new Promise((resolve) => (release = resolve));
    return () => {
      this.gate = null;
      release();
    };
  }

  issue(order: LicenseOrder): Promise<SecretText> {
    return this.call('issue', order.upstreamLicenseId, () => {
      if (this.revoked.has(order.upstreamLicenseId)) throw away('the record was revoked');
      const known = this.records.get(order.upstreamLicenseId);
      if (known) return known.key;
      const key = order.key ?? new SecretText(`FAKE-${randomBytes(16).toString('hex').toUpperCase()}`);
      const others = [...this.records.values()];
      if (others.some((other) => other.key.reveal() === key.reveal())) throw away('another record has the key');
      const { edition, expiresAt, metadata } = order;
      this.records.set(order.upstreamLicenseId, { edition, expiresAt, metadata, key, suspended: false });
      return key;
    });
  }

  suspend(id: Uuid): Promise<void> {
    return this.change('suspend', id, (record) => (record.suspended = true));
  }

  reinstate(id: Uuid): Promise<void> {
    return this.change('reinstate', id, (record) => (record.suspended = false));
  }

  revoke(id: Uuid): Promise<void> {
    return this.call('revoke', id, () => {
      if (this.records.delete(id)) this.revoked.add(id);
    });
  }

  changeEdition(id: Uuid, edition: string): Promise<void> {
    return this.change('changeEdition', id, (record) => (record.edition = edition));
  }

  changeExpiry(id: Uuid, expiresAt: Date | null): Promise<void> {
    return this.change('changeExpiry', id, (record) => (record.expiresAt = expiresAt));
  }

  syncMetadata(id: Uuid, metadata: LicenseMetadata): Promise<void> {
    return this.change('syncMetadata', id, (record) => {
      if (metadata.sequence >= record.metadata.sequence) record.metadata = metadata;
    });
  }

  find(id: Uuid): Promise<UpstreamLicense | null> {
    return this.call('find', id, () => {
      const record = this.records.get(id);
      if (!record) return null;
      const { edition, suspended, expiresAt, metadata } = record;
      return { upstreamLicenseId: id, edition, suspended, expiresAt, sequence: metadata.sequence };
    });
  }

  private change(operation: Operation, id: Uuid, work: (record: FakeRecord) => void): Promise<void> {
    return this.call(operation, id, () => {
      const record = this.records.get(id);
      if (!record) throw away('there is no such record');
      work(record);
    });
  }

  private async call<T>(operation: Operation, upstreamLicenseId: Uuid, work: () => T): Promise<T> {
    this.calls.push({ operation, upstreamLicenseId });
    await this.gate;
    const at = this.faults.findIndex((planned) => planned.operation === operation);
    const fault = at < 0 ? null : this.faults.splice(at, 1)[0]?.fault;
    if (fault === 'before') throw away('the call was cut before it had an effect');
    const result = work();
    if (fault === 'after') throw away('the call was cut after it had its effect');
    return result;
  }
}

function away(what: string): Unavailable {
  return new Unavailable('license-service-unavailable', 'The license service is not responding.', {
    cause: new Error(what),
  });
}
