import { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import { EMPTY_CHAIN } from './ledger-chain.js';
import { License, type LicenseChange, type LicenseRecord, type TransferTerms } from './license.js';
import { LICENSE_STATES, transitionOf, type LicenseCall } from './license-state.js';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as Uuid;
const day = (text: string) => BillingDate.parse(text)!;

const ACTIVE: LicenseRecord = {
  id: id(1),
  number: 1,
  partnerId: id(10),
  customerId: id(11),
  contractId: id(12),
  upstreamLicenseId: id(2),
  keyMasked: '…ABCDEF',
  edition: 'web-host',
  state: 'active',
  suspendedFrom: null,
  expiresOn: null,
  externalBillingRef: '',
  metadata: '',
  issuedAt: new Date('2026-05-01T12:00:00Z'),
  terminatedAt: null,
  lastTransferOn: null,
  ownerSequence: 1,
  lastOperationId: null,
  ledger: EMPTY_CHAIN,
};

const occasion = { at: new Date('2026-05-10T12:00:00Z'), actor: 'caller', operationId: null };
const aLicense = (fields: Partial<LicenseRecord> = {}) => License.restore({ ...ACTIVE, ...fields });
const aTrial = (lastDay: string, fields: Partial<LicenseRecord> = {}) =>
  aLicense({ state: 'trial', expiresOn: day(lastDay), ...fields });
const eventsOf = (change: LicenseChange | null) => change?.entries.map(({ event }) => event);

const terms = (fields: Partial<TransferTerms> = {}): TransferTerms => ({
  transferId: id(30),
  to: { partnerId: id(20), customerId: id(21), contractId: id(22) },
  effectiveOn: day('2026-05-05'),
  expiresOn: null,
  toTrialContract: false,
  drawsFromPack: false,
  backdating: null,
  ...fields,
});

describe('a license', () => {
  it('defines an outcome for every call in every state', () => {
    const calls: LicenseCall[] = ['suspend', 'resume', 'terminate', 'change-edition', 'keep-edition', 'transfer'];
    for (const call of calls) for (const state of LICENSE_STATES) expect(transitionOf(call, state)).toBeDefined();
  });

  it('returns to the state before its suspension', () => {
    const suspended = aTrial('2026-06-30').call('suspend', occasion)!;
    expect(suspended.after).toMatchObject({ state: 'suspended', suspendedFrom: 'trial' });
    const resumed = License.restore(suspended.after).call('resume', occasion)!;
    expect(resumed.after).toMatchObject({ state: 'trial', suspendedFrom: null });
  });

  it('is a trial through its last day and expired from the next day', () => {
    const trial = aTrial('2026-05-10');
    expect(trial.stateOn(day('2026-05-10'))).toBe('trial');
    expect(trial.stateOn(day('2026-05-11'))).toBe('expired');
    expect(aTrial('2026-05-10').expire(occasion)).toBeNull();
    expect(eventsOf(aTrial('2026-05-09').expire(occasion))).toEqual(['license.expired']);
  });

  it('never expires without a last day or if it is paid for', () => {
    expect(aLicense({ state: 'trial' }).stateOn(day('2099-01-01'))).toBe('trial');
    expect(aLicense().stateOn(day('2099-01-01'))).toBe('active');
  });

  it('records an expiry without an actor, whoever called', () => {
    const change = aTrial('2026-05-09').call('terminate', occasion)!;
    expect(change.entries.map(({ event, actor }) => [event, actor])).toEqual([
      ['license.expired', null],
      ['license.terminated', 'caller'],
    ]);
  });

  it('changes no other field than those of the call', () => {
    const { before, after } = aLicense().call('terminate', occasion)!;
    expect(before).toEqual(ACTIVE);
    expect(after).toEqual({ ...ACTIVE, state: 'terminated', terminatedAt: occasion.at, ledger: after.ledger });
  });

  it('keeps the id of the last operation through a call without one', () => {
    const change = aLicense().call('suspend', { ...occasion, operationId: id(40) })!;
    expect(change.after.lastOperationId).toBe(id(40));
    expect(License.restore(change.after).call('resume', occasion)!.after.lastOperationId).toBe(id(40));
  });

  it('records the events of each owner with the customer of that owner', () => {
    const { after, entries } = aLicense().transfer(terms(), occasion);
    expect(after).toMatchObject({ ...terms().to, ownerSequence: 2, lastTransferOn: day('2026-05-05') });
    expect(entries.map(({ event, customerId }) => [event, customerId])).toEqual([
      ['license.transferred_out', id(11)],
      ['license.transferred_in', id(21)],
    ]);
    expect(entries[0]!.data).toEqual({
      transferId: id(30),
      effectiveDate: '2026-05-05',
      fromPartnerId: id(10),
      toPartnerId: id(20),
    });
  });

  it('stops being a trial when it moves to a paid contract', () => {
    const change = aTrial('2026-06-30').transfer(terms(), occasion);
    expect(change.after).toMatchObject({ state: 'active', expiresOn: null });
    expect(change.entries.at(-1)).toMatchObject({ event: 'license.trial_converted', customerId: id(21) });
    const paused = aLicense({ state: 'suspended', suspendedFrom: 'trial', expiresOn: day('2026-06-30') });
    expect(paused.transfer(terms(), occasion).after).toMatchObject({ state: 'suspended', suspendedFrom: 'active' });
  });

  it('stays a trial on another trial contract, with the end of that contract', () => {
    const to = terms({ toTrialContract: true, expiresOn: day('2026-09-30') });
    expect(aTrial('2026-06-30').transfer(to, occasion).after).toMatchObject({
      state: 'trial',
      expiresOn: day('2026-09-30'),
    });
  });

  it('stays active when it moves from a paid contract to a trial contract', () => {
    const to = terms({ toTrialContract: true, expiresOn: day('2026-09-30') });
    expect(aLicense().transfer(to, occasion).after).toMatchObject({ state: 'active', expiresOn: null });
  });

  it('stays expired when it moves, and the expiry is recorded first', () => {
    const change = aTrial('2026-05-09').transfer(terms(), occasion);
    expect(change.after.state).toBe('expired');
    expect(eventsOf(change)).toEqual(['license.expired', 'license.transferred_out', 'license.transferred_in']);
  });
});
