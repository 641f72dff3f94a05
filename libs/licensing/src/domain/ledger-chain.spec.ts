import type { Uuid } from '#kernel/crypto/uuid';
import { chain, EMPTY_CHAIN, hashOf, headOf, type LedgerEntry } from './ledger-chain.js';
import type { LedgerFact } from './ledger-event.js';

const LICENSE = '9c5b94b1-35ad-49bb-b118-8e8fc24abf80' as Uuid;
const fact: LedgerFact = {
  event: 'license.edition_changed',
  at: new Date('2026-05-10T12:00:00.000Z'),
  actor: 'somebody',
  customerId: null,
  data: { from: 'web-host', to: 'web-pro' },
};

const stored = (entry: LedgerEntry) => ({ ...entry, licenseId: LICENSE, at: '2026-05-10T12:00:00.000000Z' });

describe('the hash chain of a license', () => {
  it('numbers entries from 1, each with the hash of the previous one', () => {
    const [first, second] = chain(LICENSE, EMPTY_CHAIN, [fact, fact]);
    expect([first!.position, second!.position]).toEqual([1, 2]);
    expect(first!.previousHash).toEqual(Buffer.alloc(32));
    expect(second!.previousHash).toEqual(first!.hash);
    expect(second!.hash).not.toEqual(first!.hash);
    expect(headOf(EMPTY_CHAIN, [first!, second!])).toEqual({ length: 2, hash: second!.hash });
    expect(headOf(EMPTY_CHAIN, [])).toBe(EMPTY_CHAIN);
  });

  it('continues from a head as if it had never stopped', () => {
    const whole = chain(LICENSE, EMPTY_CHAIN, [fact, fact]);
    const [first] = chain(LICENSE, EMPTY_CHAIN, [fact]);
    expect(chain(LICENSE, headOf(EMPTY_CHAIN, [first!]), [fact])).toEqual(whole.slice(1));
  });

  it('gives the same hash for a stored entry, whatever the order of its data', () => {
    const [entry] = chain(LICENSE, EMPTY_CHAIN, [fact]);
    expect(hashOf(stored(entry!))).toEqual(entry!.hash);
    expect(hashOf({ ...stored(entry!), data: { to: 'web-pro', from: 'web-host' } })).toEqual(entry!.hash);
  });

  it('never changes: a known entry has a known hash', () => {
    const [entry] = chain(LICENSE, EMPTY_CHAIN, [fact]);
    expect(entry!.hash.toString('hex')).toBe('d31112e9fe587794b1f25fa352f4fd5e694185533be4f072b408e8a12fd654e1');
  });

  it.each([
    ['position', { position: 2 }],
    ['event', { event: 'license.issued' }],
    ['at', { at: '2026-05-10T12:00:00.000001Z' }],
    ['actor', { actor: null }],
    ['customer', { customerId: LICENSE }],
    ['data', { data: { from: 'web-host', to: 'web-admin' } }],
    ['license', { licenseId: '00000000-35ad-49bb-b118-8e8fc24abf80' as Uuid }],
    ['previous hash', { previousHash: Buffer.alloc(32, 1) }],
  ])('depends on the %s', (_field, change) => {
    const [entry] = chain(LICENSE, EMPTY_CHAIN, [fact]);
    expect(hashOf({ ...stored(entry!), ...change })).not.toEqual(entry!.hash);
  });
});
