import { BillingDate } from '#kernel/time/calendar-date';
import type { Uuid } from '#kernel/crypto/uuid';
import { importedLicense } from './imported-license.js';
import type { NamedOwner, PastEvent, PastLicense, PastTransfer } from './past-license.js';

const NOW = new Date('2025-06-15T12:00:00Z');
const day = (text: string) => BillingDate.parse(text)!;
const id = (name: string) => name as Uuid;

type License = PastLicense & { readonly upstreamLicenseId: Uuid };

const owner = (name: string, contract: Partial<NamedOwner['contract']> = {}): NamedOwner => ({
  partnerId: id(name),
  customerId: id(`${name}-customer`),
  contractId: id(`${name}-contract`),
  customerPartnerId: id(name),
  contract: { partnerId: id(name), isTrial: false, validTo: null, drawsFromPack: false, editions: [], ...contract },
});

const aLicense = (change: Partial<License> = {}): License => ({
  line: 1,
  id: id('license'),
  upstreamLicenseId: id('upstream'),
  keyHash: null,
  sealedKey: null,
  keyMasked: '…',
  edition: 'web-host',
  externalBillingRef: '',
  owner: owner('a'),
  state: 'active',
  issuedAt: new Date('2024-03-05T10:00:00Z'),
  terminatedAt: null,
  suspendedAt: null,
  expiredAt: null,
  ...change,
});

let line = 10;
const moved = (to: NamedOwner, on: string, recordedAt: string | null = null): PastTransfer => {
  const recorded = recordedAt === null ? null : new Date(recordedAt);
  return { line: line++, id: id(`transfer-${line}`), to, effectiveOn: day(on), reason: '', recordedAt: recorded };
};
const told = (event: PastEvent['event'], at: string, actor: string | null = null): PastEvent => {
  return { line: line++, event, at: new Date(at), actor };
};

const taken = (license: License, events: PastEvent[] = [], transfers: PastTransfer[] = []) =>
  importedLicense(license, events, transfers, NOW);
const ledgerOf = ({ entries }: ReturnType<typeof taken>) =>
  entries.map(({ event, at, customerId }) => [
    event.replace('license.', ''),
    at.toISOString().slice(0, 16),
    customerId,
  ]);
const spansOf = ({ spans }: ReturnType<typeof taken>) =>
  spans.map(({ contractId, firstDay, lastDay }) => [contractId, firstDay.toString(), lastDay?.toString() ?? null]);

describe('an imported license', () => {
  it('is issued by the first event', () => {
    const imported = taken(aLicense());
    expect(ledgerOf(imported)).toEqual([['issued', '2024-03-05T10:00', 'a-customer']]);
    expect(spansOf(imported)).toEqual([['a-contract', '2024-03-05', null]]);
    expect(imported.record).toMatchObject({ state: 'active', ownerSequence: 1, lastTransferOn: null, expiresOn: null });
    expect(imported.record.ledger.hash).toEqual(imported.entries[0]?.hash);
  });

  it('is owned through the day of its termination', () => {
    const imported = taken(aLicense({ state: 'terminated', terminatedAt: new Date('2024-04-01T08:00:00Z') }));
    expect(ledgerOf(imported).at(-1)).toEqual(['terminated', '2024-04-01T08:00', 'a-customer']);
    expect(imported.spans).toMatchObject([{ openedBy: 1, closedBy: 2, lastDay: day('2024-04-01') }]);
  });

  it('may be terminated on the day of its issue, given as a plain date', () => {
    const imported = taken(aLicense({ state: 'terminated', terminatedAt: new Date('2024-03-05T00:00:00Z') }));
    expect(imported.record.terminatedAt).toEqual(imported.record.issuedAt);
    expect(spansOf(imported)).toEqual([['a-contract', '2024-03-05', '2024-03-05']]);
  });

  it('moves from owner to owner, and each event names the customer of its day', () => {
    const imported = taken(aLicense(), [], [moved(owner('b'), '2024-05-10'), moved(owner('c'), '2024-06-01')]);
    expect(ledgerOf(imported)).toEqual([
      ['issued', '2024-03-05T10:00', 'a-customer'],
      ['transferred_out', '2024-05-10T00:00', 'a-customer'],
      ['transferred_in', '2024-05-10T00:00', 'b-customer'],
      ['transferred_out', '2024-06-01T00:00', 'b-customer'],
      ['transferred_in', '2024-06-01T00:00', 'c-customer'],
    ]);
    expect(spansOf(imported)).toEqual([
      ['a-contract', '2024-03-05', '2024-05-09'],
      ['b-contract', '2024-05-10', '2024-05-31'],
      ['c-contract', '2024-06-01', null],
    ]);
    expect(imported.record).toMatchObject({ partnerId: 'c', ownerSequence: 3, lastTransferOn: day('2024-06-01') });
    expect(imported.transfers.map(({ ownerSequence, fromPartnerId }) => [ownerSequence, fromPartnerId])).toEqual([
      [2, 'a'],
      [3, 'b'],
    ]);
    expect(imported.entries[1]?.data).toEqual({
      transferId: imported.transfers[0]?.id,
      effectiveDate: '2024-05-10',
      fromPartnerId: 'a',
      toPartnerId: 'b',
    });
  });

  it('belongs to the last owner of a day with several transfers, and draws from a pack in between', () => {
    const pack = owner('b', { drawsFromPack: true });
    const imported = taken(aLicense(), [], [moved(pack, '2024-05-10'), moved(owner('c'), '2024-05-10')]);
    expect(spansOf(imported)).toEqual([
      ['a-contract', '2024-03-05', '2024-05-09'],
      ['c-contract', '2024-05-10', null],
    ]);
    expect(imported.draws).toEqual([{ contractId: 'b-contract', drawnOn: day('2024-05-10'), drawnBy: 3 }]);
  });

  it('has a backdated transfer in its ledger at the time of recording', () => {
    const imported = taken(aLicense(), [], [moved(owner('b'), '2024-05-10', '2024-06-02T09:00:00Z')]);
    expect(ledgerOf(imported).at(-1)).toEqual(['transferred_in', '2024-06-02T09:00', 'b-customer']);
    expect(imported.transfers[0]?.createdAt).toEqual(new Date('2024-06-02T09:00:00Z'));
  });

  it('stops being a trial when it moves to a paid contract', () => {
    const trial = owner('a', { isTrial: true, validTo: day('2024-12-31') });
    for (const state of ['active', 'trial'] as const) {
      const imported = taken(aLicense({ owner: trial, state }), [], [moved(owner('b'), '2024-05-10')]);
      expect(ledgerOf(imported).at(-1)).toEqual(['trial_converted', '2024-05-10T00:00', 'b-customer']);
      expect(imported.record).toMatchObject({ state: 'active', expiresOn: null });
    }
  });

  it('returns to a trial if it was suspended as one', () => {
    const trial = owner('a', { isTrial: true, validTo: day('2025-12-31') });
    const imported = taken(
      aLicense({ owner: trial, state: 'suspended', suspendedAt: new Date('2024-04-01T00:00:00Z') }),
    );
    expect(imported.record).toMatchObject({ suspendedFrom: 'trial', expiresOn: day('2025-12-31') });
    expect(ledgerOf(imported).at(-1)).toEqual(['suspended', '2024-04-01T00:00', 'a-customer']);
  });

  it('expires with its trial contract', () => {
    const trial = owner('a', { isTrial: true, validTo: day('2024-12-31') });
    const imported = taken(aLicense({ owner: trial, state: 'expired' }));
    expect(ledgerOf(imported).at(-1)).toEqual(['expired', '2025-01-01T00:00', 'a-customer']);
    expect(imported.record).toMatchObject({ state: 'expired', expiresOn: day('2024-12-31') });
  });
});

describe('an event line', () => {
  it('is in the ledger at its time, without a customer', () => {
    const imported = taken(aLicense(), [
      told('license.suspended', '2023-01-01'),
      told('license.resumed', '2024-04-01', 'x@y.z'),
    ]);
    expect(ledgerOf(imported)).toEqual([
      ['suspended', '2023-01-01T00:00', null],
      ['issued', '2024-03-05T10:00', 'a-customer'],
      ['resumed', '2024-04-01T00:00', null],
    ]);
    expect(imported.entries[2]?.actor).toBe('x@y.z');
    expect(imported.record.state).toBe('active');
    expect(imported.spans[0]?.openedBy).toBe(2);
  });

  it('replaces the derived issue, even at another time, and opens the first ownership span', () => {
    const imported = taken(aLicense(), [told('license.issued', '2023-01-01')]);
    expect(ledgerOf(imported)).toEqual([['issued', '2023-01-01T00:00', null]]);
    expect(imported.spans).toMatchObject([{ firstDay: day('2024-03-05'), openedBy: 1 }]);
  });

  it('replaces the derived termination, and both derived events of a transfer on the same day', () => {
    const events = [
      told('license.transferred_out', '2024-05-10T08:00:00Z'),
      told('license.transferred_in', '2024-05-10T08:00:00Z'),
      told('license.terminated', '2024-06-01T09:00:00Z', 'x@y.z'),
    ];
    const license = aLicense({ state: 'terminated', terminatedAt: new Date('2024-06-01T00:00:00Z') });
    const imported = taken(license, events, [moved(owner('b'), '2024-05-10')]);
    expect(ledgerOf(imported)).toEqual([
      ['issued', '2024-03-05T10:00', 'a-customer'],
      ['transferred_out', '2024-05-10T08:00', null],
      ['transferred_in', '2024-05-10T08:00', null],
      ['terminated', '2024-06-01T09:00', null],
    ]);
    expect(imported.entries[1]?.data).toMatchObject({ toPartnerId: 'b' });
    expect(imported.spans.map(({ closedBy }) => closedBy)).toEqual([2, 4]);
  });

  it('is a fact of its own if it is on another day than the transfer', () => {
    const imported = taken(
      aLicense(),
      [told('license.transferred_in', '2024-05-09')],
      [moved(owner('b'), '2024-05-10')],
    );
    expect(imported.entries.filter(({ event }) => event === 'license.transferred_in')).toHaveLength(2);
  });

  it('reports the current suspension, unless the license was resumed after it', () => {
    const suspended = aLicense({ state: 'suspended' });
    const once = taken(suspended, [told('license.suspended', '2024-04-01')]);
    expect(ledgerOf(once).at(-1)).toEqual(['suspended', '2024-04-01T00:00', null]);
    const again = taken(suspended, [told('license.suspended', '2024-04-01'), told('license.resumed', '2024-04-02')]);
    expect(ledgerOf(again).at(-1)).toEqual(['suspended', NOW.toISOString().slice(0, 16), 'a-customer']);
  });
});
