import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { Unavailable } from '#kernel/errors';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  KeygenConnection,
  REAL_TIME,
  type KeygenTimer,
} from '../../libs/licensing/src/infrastructure/license-service/keygen/keygen-connection.js';
import { KeygenLicenseService } from '../../libs/licensing/src/infrastructure/license-service/keygen/keygen-license-service.js';
import { metadata, newId, order } from '../contract/license-service/license-service.contract.js';
import { KeygenStub, type KeygenFault } from '../support/licensing/keygen-stub.js';

const POWER_USER = newId();
const WEB_HOST = newId();
const FAULTS: [string, KeygenFault][] = [false, true].flatMap((acts): [string, KeygenFault][] => {
  const when = acts ? 'after it acted' : 'before it acted';
  return [
    [`falls silent ${when}`, { kind: 'silence', acts }],
    [`cuts the connection ${when}`, { kind: 'cut', acts }],
    [`answers 500 ${when}`, { kind: 'answer', acts, status: 500, body: '{"errors":[]}' }],
    [`answers garbage with 502 ${when}`, { kind: 'answer', acts, status: 502, body: '<html>bad gateway</html>' }],
    [`answers garbage with 200 ${when}`, { kind: 'answer', acts, status: 200, body: '{"data":' }],
    [`answers 200 without a license ${when}`, { kind: 'answer', acts, status: 200, body: '{"data":null}' }],
    [`answers more than we read ${when}`, { kind: 'answer', acts, status: 200, body: ' '.repeat(1_100_000) }],
  ];
});

const TIMEOUTS = { callMs: 8_000, operationMs: 25_000 };

describe('the adapter of Keygen', () => {
  const stub = new KeygenStub([POWER_USER, WEB_HOST]);
  const policies = new Map<string, Uuid>([
    ['power-user', POWER_USER],
    ['web-host', WEB_HOST],
  ]);
  let service: KeygenLicenseService;
  let id: Uuid;
  let logged: string;
  let pauses: number[];

  /** A call has timed out as soon as the stub is silent, and waits are over at once. */
  const timer: KeygenTimer = {
    timeout: (ms) => {
      if (ms !== TIMEOUTS.callMs) return AbortSignal.timeout(ms);
      const late = new AbortController();
      stub.onSilence = () => late.abort();
      return late.signal;
    },
    pause: (ms) => Promise.resolve(void pauses.push(ms)),
  };

  beforeAll(() => stub.start());
  afterAll(() => stub.stop());
  beforeEach(() => {
    service = serviceWith(TIMEOUTS);
    id = newId();
    logged = '';
    pauses = [];
    stub.requests.length = 0;
    jest.spyOn(Logger.prototype, 'error').mockImplementation((...words: unknown[]) => void (logged += inspect(words)));
  });
  afterEach(() => jest.restoreAllMocks());

  function serviceWith(timeouts: typeof TIMEOUTS, token = stub.token, time = timer): KeygenLicenseService {
    const options = { origin: stub.origin, accountId: stub.accountId, token: new SecretText(token) };
    return new KeygenLicenseService(new KeygenConnection(options, timeouts, time), policies);
  }

  /** About this test's license: what an earlier test gave up may arrive late. */
  const sent = () =>
    stub.requests
      .filter(({ path, body }) => path.includes(id) || body?.data.id === id)
      .map(({ method, path }) => `${method} ${path.replace(id, ':id')}`);

  describe.each(FAULTS)('when Keygen %s', (_what, fault) => {
    it('issues one record and gives its key', async () => {
      stub.failNext(/^POST licenses$/, fault);
      const key = await service.issue(order(id));
      expect(stub.licenses.get(id)?.key).toBe(key.reveal());
      expect(sent().slice(0, 2)).toEqual(['POST licenses', 'GET licenses/:id']);
    });

    it('suspends and reinstates', async () => {
      await service.issue(order(id));
      stub.failNext(/suspend$/, fault);
      await service.suspend(id);
      expect(stub.licenses.get(id)?.suspended).toBe(true);
      stub.failNext(/reinstate$/, fault);
      await service.reinstate(id);
      expect(stub.licenses.get(id)?.suspended).toBe(false);
    });

    it('revokes', async () => {
      await service.issue(order(id));
      stub.failNext(/revoke$/, fault);
      await service.revoke(id);
      expect(stub.licenses.has(id)).toBe(false);
    });

    it('changes edition, expiry and owner', async () => {
      await service.issue(order(id));
      stub.failNext(/^PUT/, fault);
      await service.changeEdition(id, 'web-host');
      const end = new Date('2027-12-31T00:00:00.000Z');
      stub.failNext(/^PATCH/, fault);
      await service.changeExpiry(id, end);
      const owner = metadata(2);
      stub.failNext(/^PATCH/, fault);
      await service.syncMetadata(id, owner);
      expect(stub.licenses.get(id)).toMatchObject({ policyId: WEB_HOST, expiry: end.toISOString(), metadata: owner });
    });

    it('finds the record by asking again', async () => {
      await service.issue(order(id));
      stub.failNext(/^GET/, fault);
      expect(await service.find(id)).toMatchObject({ upstreamLicenseId: id });
    });
  });

  it('gives up within its deadline when Keygen stays silent, and claims nothing', async () => {
    const silence: KeygenFault = { kind: 'silence', acts: true };
    stub.failNext(/./, ...Array<KeygenFault>(8).fill(silence));
    // By the clock on the wall: this is what happens outside of tests.
    const real = serviceWith({ callMs: 50, operationMs: 20_000 }, stub.token, REAL_TIME);
    await expect(real.issue(order(id))).rejects.toThrow(Unavailable);
    stub.clearFaults();
    expect(stub.licenses.size).toBeGreaterThan(0);
    expect((await service.issue(order(id))).reveal()).toBe(stub.licenses.get(id)?.key);
  });

  it('bounds an operation as a whole, however long each call may take', async () => {
    stub.failNext(/./, ...Array<KeygenFault>(8).fill({ kind: 'silence', acts: false }));
    const real = serviceWith({ callMs: 600_000, operationMs: 200 }, stub.token, REAL_TIME);
    await expect(real.find(id)).rejects.toThrow(Unavailable);
    stub.clearFaults();
  });

  describe.each([401, 402, 403])('when Keygen answers %i', (status) => {
    it('is unavailable, raises an alarm and tries nothing else', async () => {
      stub.failNext(/^POST/, { kind: 'answer', acts: false, status, body: `{"detail":"${stub.token}"}` });
      const error = await service.issue(order(id)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Unavailable);
      expect(sent()).toEqual(['POST licenses']);
      expect(logged).toContain(`ALARM: Keygen refuses this installation (${status}`);
      expect(logged + inspect(error, { depth: 9 })).not.toContain(stub.token);
    });
  });

  it('is unavailable with a token that Keygen does not know', async () => {
    await expect(serviceWith(TIMEOUTS, 'prod-wrong').find(id)).rejects.toThrow(Unavailable);
    expect(logged).toContain('401');
    expect(logged).not.toContain('prod-wrong');
  });

  describe('when Keygen is busy', () => {
    const busy = (retryAfter?: string): KeygenFault => ({
      kind: 'answer',
      acts: false,
      status: 429,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    });

    const inTwelve = () => new Date(Date.now() + 12_000).toUTCString();

    it('waits as long as it is asked to and goes on', async () => {
      stub.failNext(/^POST/, busy('1'));
      await service.issue(order(id));
      expect(pauses).toEqual([1_000]);
      expect(sent()).toEqual(['POST licenses', 'POST licenses']);
    });

    it('reads a date as well as seconds', async () => {
      stub.failNext(/^POST/, busy(new Date(Date.now() - 1_000).toUTCString()), busy(inTwelve()));
      await service.issue(order(id));
      expect(pauses[0]).toBe(0);
      expect(pauses[1]).toBeGreaterThan(0);
      expect(pauses[1]).toBeLessThanOrEqual(12_000);
    });

    it('gives up after three tries', async () => {
      stub.failNext(/^POST/, busy('0'), busy('0'), busy('0'));
      await expect(service.issue(order(id))).rejects.toThrow(Unavailable);
      expect(sent()).toEqual(Array(3).fill('POST licenses'));
      expect(stub.licenses.has(id)).toBe(false);
    });

    it('does not wait for longer than an operation may take', async () => {
      stub.failNext(/^POST/, busy('3600'));
      await expect(service.issue(order(id))).rejects.toThrow(Unavailable);
      expect(pauses).toEqual([]);
    });

    it('ends a wait with the operation', async () => {
      stub.failNext(/^POST/, busy('1'), busy('1'));
      const real = serviceWith({ callMs: 60_000, operationMs: 1_050 }, stub.token, REAL_TIME);
      await expect(real.issue(order(id))).rejects.toThrow(Unavailable);
      expect(stub.licenses.has(id)).toBe(false);
    });
  });

  it('follows no redirect, which would carry the token elsewhere', async () => {
    const headers = { location: `${stub.origin}/elsewhere` };
    stub.failNext(/^GET/, { kind: 'answer', acts: false, status: 307, headers });
    await expect(service.find(id)).rejects.toThrow(Unavailable);
    expect(sent()).toEqual(['GET licenses/:id']);
  });

  it('treats a repeated suspension as done after reading the record', async () => {
    await service.issue(order(id));
    await service.suspend(id);
    stub.requests.length = 0;
    await service.suspend(id);
    expect(sent()).toEqual(['POST licenses/:id/actions/suspend', 'GET licenses/:id']);
  });

  it('answers a conflict of ids with the key of the first record', async () => {
    const first = await service.issue(order(id));
    stub.requests.length = 0;
    const second = await service.issue(order(id));
    expect(second.reveal()).toBe(first.reveal());
    expect(sent()).toEqual(['POST licenses', 'GET licenses/:id']);
  });

  it('sends the metadata whole, in keys that Keygen leaves alone', async () => {
    const placed = order(id);
    await service.issue(placed);
    expect(stub.requests[0]?.body?.data).toEqual({
      type: 'licenses',
      id,
      attributes: { expiry: null, metadata: placed.metadata },
      relationships: { policy: { data: { type: 'policies', id: POWER_USER } } },
    });
    const owner = metadata(2);
    await service.syncMetadata(id, owner);
    expect(stub.requests.at(-1)?.body?.data).toEqual({ type: 'licenses', id, attributes: { metadata: owner } });
    expect(stub.licenses.get(id)?.metadata).toEqual(owner);
  });

  it('sends nothing when Keygen holds a newer owner', async () => {
    await service.issue(order(id));
    await service.syncMetadata(id, metadata(5));
    stub.requests.length = 0;
    await service.syncMetadata(id, metadata(4));
    expect(sent()).toEqual(['GET licenses/:id']);
  });

  it('shows a record of a policy that EDITIONS does not name without an edition', async () => {
    await service.issue(order(id));
    stub.licenses.get(id)!.policyId = newId();
    expect(await service.find(id)).toMatchObject({ edition: null });
  });

  it('lets no key out but by issue: neither a result, nor an error, nor a log holds one', async () => {
    await service.issue(order(id));
    const found = await service.find(id);
    stub.failNext(
      /^GET/,
      ...Array<KeygenFault>(2).fill({ kind: 'answer', acts: true, status: 200, body: stub.keys.join() }),
    );
    const error = await service.find(id).catch((thrown: unknown) => thrown);
    const everything = inspect([found, error, service], { depth: 12, showHidden: true }) + logged;
    for (const key of stub.keys) expect(everything).not.toContain(key);
    expect(everything).not.toContain(stub.token);
  });
});
