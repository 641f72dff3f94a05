import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { Unavailable } from '#kernel/errors';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import type {
  LicenseMetadata,
  LicenseOrder,
  LicenseService,
} from '../../../libs/licensing/src/application/ports/license-service.js';

const END_OF_2027 = new Date('2027-12-31T23:59:59.000Z');
const NEXT_SUMMER = new Date('2027-07-01T00:00:00.000Z');

export interface RunningLicenseService {
  readonly service: LicenseService;
  /** Does a running panel that holds this key find the record? Absent where nobody but the service could tell. */
  readonly knowsKey?: (key: SecretText) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** What every license service must do; `start` gives one that sells power-user and web-host. */
export function licenseServiceContract(start: () => Promise<RunningLicenseService>): void {
  let running: RunningLicenseService;
  let service: LicenseService;
  let id: Uuid;

  beforeAll(async () => {
    running = await start();
    service = running.service;
  });
  afterAll(() => running?.close());
  beforeEach(() => {
    id = newId();
  });

  describe('issuing', () => {
    it('makes the record as ordered', async () => {
      await service.issue(order(id, { expiresAt: END_OF_2027 }));
      expect(await service.find(id)).toEqual({
        upstreamLicenseId: id,
        edition: 'power-user',
        suspended: false,
        expiresAt: END_OF_2027,
        sequence: 1,
      });
    });

    it('gives a key that prints as redacted and is another for every license', async () => {
      const first = await service.issue(order(id));
      const second = await service.issue(order(newId()));
      expect(inspect(first)).not.toContain(first.reveal());
      expect(first.reveal().length).toBeGreaterThanOrEqual(20);
      expect(second.reveal()).not.toBe(first.reveal());
    });

    it('answers a repeat with a usable key of the one record', async () => {
      await service.issue(order(id));
      const again = await service.issue(order(id));
      expect(again).toBeInstanceOf(SecretText);
      if (running.knowsKey) expect(await running.knowsKey(again)).toBe(true);
      expect(await service.find(id)).toMatchObject({ upstreamLicenseId: id, suspended: false });
    });

    it('makes one record out of eight orders at once, and the last key given is usable', async () => {
      const keys = await Promise.all(Array.from({ length: 8 }, () => service.issue(order(id))));
      expect(keys).toHaveLength(8);
      expect(await service.find(id)).toMatchObject({ upstreamLicenseId: id });
      if (!running.knowsKey) return;
      const usable = await Promise.all(keys.map((key) => running.knowsKey!(key)));
      expect(usable).toContain(true);
    });

    it('gives the record the key that the order names, also when it is repeated', async () => {
      const key = new SecretText(`LEGACY-${newId()}`);
      expect((await service.issue(order(id, { key }))).reveal()).toBe(key.reveal());
      expect((await service.issue(order(id, { key }))).reveal()).toBe(key.reveal());
      if (running.knowsKey) expect(await running.knowsKey(key)).toBe(true);
      expect(await service.find(id)).toMatchObject({ upstreamLicenseId: id, edition: 'power-user', sequence: 1 });
    });

    it('makes no record with the key of another', async () => {
      const key = new SecretText(`LEGACY-${newId()}`);
      await service.issue(order(newId(), { key }));
      const error = await service.issue(order(id, { key })).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Unavailable);
      expect(inspect(error, { depth: 9 })).not.toContain(key.reveal());
      expect(await service.find(id)).toBeNull();
    });

    it('leaves a suspension in force when the order is repeated', async () => {
      await service.issue(order(id));
      await service.suspend(id);
      await service.issue(order(id));
      expect(await service.find(id)).toMatchObject({ suspended: true });
    });
  });

  describe('suspending and reinstating', () => {
    beforeEach(() => service.issue(order(id)));

    it('suspends, also when asked twice', async () => {
      await service.suspend(id);
      await service.suspend(id);
      expect(await service.find(id)).toMatchObject({ suspended: true });
    });

    it('reinstates, also when asked twice', async () => {
      await service.suspend(id);
      await service.reinstate(id);
      await service.reinstate(id);
      expect(await service.find(id)).toMatchObject({ suspended: false });
    });

    it('takes eight suspensions at once as one', async () => {
      await Promise.all(Array.from({ length: 8 }, () => service.suspend(id)));
      expect(await service.find(id)).toMatchObject({ suspended: true });
    });

    it('touches no other license', async () => {
      const other = newId();
      await service.issue(order(other));
      await service.suspend(id);
      expect(await service.find(other)).toMatchObject({ suspended: false });
    });
  });

  describe('revoking', () => {
    it('ends the record for good, also when asked twice', async () => {
      await service.issue(order(id));
      await service.revoke(id);
      await service.revoke(id);
      expect(await service.find(id)).toBeNull();
    });

    it('takes a record that was never made as revoked', async () => {
      await expect(service.revoke(id)).resolves.toBeUndefined();
    });

    it('takes eight revocations at once as one', async () => {
      await service.issue(order(id));
      await Promise.all(Array.from({ length: 8 }, () => service.revoke(id)));
      expect(await service.find(id)).toBeNull();
    });
  });

  describe('changing', () => {
    beforeEach(() => service.issue(order(id, { expiresAt: END_OF_2027 })));

    it('changes the edition, also when asked twice, and nothing else', async () => {
      await service.changeEdition(id, 'web-host');
      await service.changeEdition(id, 'web-host');
      expect(await service.find(id)).toEqual({
        upstreamLicenseId: id,
        edition: 'web-host',
        suspended: false,
        expiresAt: END_OF_2027,
        sequence: 1,
      });
    });

    it('moves the expiry and takes it away', async () => {
      await service.changeExpiry(id, NEXT_SUMMER);
      expect(await service.find(id)).toMatchObject({ expiresAt: NEXT_SUMMER, edition: 'power-user' });
      await service.changeExpiry(id, null);
      await service.changeExpiry(id, null);
      expect(await service.find(id)).toMatchObject({ expiresAt: null });
    });

    it('keeps the newest owner when an older document arrives after a newer one', async () => {
      await service.syncMetadata(id, metadata(3));
      await service.syncMetadata(id, metadata(2));
      expect(await service.find(id)).toMatchObject({ sequence: 3 });
    });

    it('keeps the newest owner when documents arrive together', async () => {
      await Promise.all([4, 7, 5, 6, 2].map((sequence) => service.syncMetadata(id, metadata(sequence))));
      expect(await service.find(id)).toMatchObject({ sequence: 7 });
    });

    it('takes the same document twice', async () => {
      const document = metadata(2);
      await service.syncMetadata(id, document);
      await service.syncMetadata(id, document);
      expect(await service.find(id)).toMatchObject({ sequence: 2, edition: 'power-user' });
    });
  });

  describe('a record that does not exist', () => {
    it('is found as null', async () => {
      expect(await service.find(id)).toBeNull();
    });

    it.each([
      ['suspended', () => service.suspend(id)],
      ['reinstated', () => service.reinstate(id)],
      ['moved to another edition', () => service.changeEdition(id, 'web-host')],
      ['given another expiry', () => service.changeExpiry(id, null)],
      ['given another owner', () => service.syncMetadata(id, metadata(2))],
    ])('cannot be %s', async (_what, call) => {
      await expect(call()).rejects.toThrow(Unavailable);
      expect(await service.find(id)).toBeNull();
    });
  });
}

export function newId(): Uuid {
  return randomUUID() as Uuid;
}

export function metadata(sequence: number): LicenseMetadata {
  return { partnerId: newId(), customerId: newId(), contractId: newId(), sequence };
}

export function order(upstreamLicenseId: Uuid, change: Partial<LicenseOrder> = {}): LicenseOrder {
  return { upstreamLicenseId, edition: 'power-user', expiresAt: null, metadata: metadata(1), ...change };
}
