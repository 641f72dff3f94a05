import { Invalid } from '#kernel/errors';
import { BillingContract } from './contract.js';
import type { ContractState } from './contract-terms.js';
import { aContract, METERED } from '../../testing/a-contract.js';
import { day, month } from '../../testing/days.js';

function violationsOf(terms: Partial<ContractState>): string[] {
  try {
    aContract(terms);
    return [];
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    expect(error.slug).toBe('validation');
    for (const { path, code, message } of error.violations) {
      expect({ path, code }).toEqual({ path: `/${message.split(' ')[0]}`, code: 'validation' });
    }
    expect(error.message).toBe(error.violations.map(({ message }) => message).join('; '));
    return error.violations.map(({ message }) => message);
  }
}

describe('signing a contract', () => {
  it.each<[string, Partial<ContractState>, string]>([
    ['an empty reference', { reference: ' ' }, 'reference must not be empty'],
    ['a long reference', { reference: 'x'.repeat(201) }, 'reference must have at most 200 characters'],
    ['a NUL character', { reference: 'a\0' }, 'reference must not contain a NUL character'],
    ['an unknown model', { model: 'per_seat' as never }, 'model is not a pricing model'],
    ['small letters in the currency', { currency: 'eur' }, 'currency must be an assigned ISO 4217 code, such as EUR'],
    ['a currency of four letters', { currency: 'EURO' }, 'currency must be an assigned ISO 4217 code, such as EUR'],
    ['a currency after a space', { currency: ' EUR' }, 'currency must be an assigned ISO 4217 code, such as EUR'],
    ['an unassigned currency', { currency: 'ABC' }, 'currency must be an assigned ISO 4217 code, such as EUR'],
    ['a negative price', { unitPriceCents: -1 }, 'unitPriceCents must be an integer from 0 to 1000000000000'],
    ['parts of a cent', { unitPriceCents: 0.5 }, 'unitPriceCents must be an integer from 0 to 1000000000000'],
    [
      'a price above the maximum',
      { unitPriceCents: 1_000_000_000_001 },
      'unitPriceCents must be an integer from 0 to 1000000000000',
    ],
    ['an end before the beginning', { validTo: day('2019-12-31') }, 'validTo must not be before validFrom'],
    ['a cap without a capped model', { licenseCap: 5 }, 'licenseCap belongs to the model flat_capped only'],
    ['a cap of nothing', { model: 'flat_capped', licenseCap: 0 }, 'licenseCap must be an integer from 1 to 2147483647'],
    ['a size without a pack', { packSize: 5 }, 'packSize belongs to the model prepaid_pack only'],
    ['a pack without a size', { model: 'prepaid_pack' }, 'packSize is required for the model prepaid_pack'],
    ['a pack of nothing', { model: 'prepaid_pack', packSize: 0 }, 'packSize must be an integer from 1 to 2147483647'],
    ['half a pack', { model: 'prepaid_pack', packSize: 1.5 }, 'packSize must be an integer from 1 to 2147483647'],
    [
      'a pack too large',
      { model: 'prepaid_pack', packSize: 2 ** 31 },
      'packSize must be an integer from 1 to 2147483647',
    ],
    ['a nameless edition', { editions: ['web-pro', ''] }, 'editions must not contain an empty name'],
  ])('refuses %s', (_, terms, message) => {
    expect(violationsOf(terms)).toEqual([message]);
  });

  it('names every field that is wrong at once', () => {
    expect(violationsOf({ reference: '', currency: '', unitPriceCents: NaN })).toHaveLength(3);
  });

  it.each<[string, Partial<ContractState>]>([
    ['free of charge', { unitPriceCents: 0 }],
    ['in a currency without cents', { currency: 'JPY' }],
    ['in a retired currency, as an import may have', { currency: 'HRK' }],
    ['at the highest price', { unitPriceCents: 1_000_000_000_000 }],
    ['valid for one day', { validTo: METERED.validFrom }],
    ['capped, with its cap', { model: 'flat_capped', licenseCap: 1 }],
    ['capped without a cap, as an import may have', { model: 'flat_capped' }],
    ['the largest pack', { model: 'prepaid_pack', packSize: 2 ** 31 - 1 }],
    ['with a long reference', { reference: 'x'.repeat(200) }],
    ['with a long reference of wide characters', { reference: '😀'.repeat(200) }],
  ])('accepts one %s', (_, terms) => {
    expect(aContract(terms).state).toMatchObject(terms);
  });

  it('keeps each edition once', () => {
    expect(aContract({ editions: ['web-pro', 'web-host', 'web-pro'] }).state.editions).toEqual(['web-pro', 'web-host']);
  });

  it('is not checked again for stored contracts', () => {
    const state = { ...METERED, unitPriceCents: -1 };
    expect(BillingContract.restore(state).state).toBe(state);
  });
});

describe('issuing on a contract', () => {
  const contract = aContract({ validFrom: day('2026-06-10'), validTo: day('2026-06-20'), editions: ['web-pro'] });

  it('is allowed on its first and last day, but not before or after', () => {
    expect(() => contract.assertIssuable('web-pro', day('2026-06-10'))).not.toThrow();
    expect(() => contract.assertIssuable('web-pro', day('2026-06-20'))).not.toThrow();
    const notValid = expect.objectContaining({ kind: 'conflict', slug: 'contract-not-valid' }) as Error;
    expect(thrownBy(() => contract.assertIssuable('web-pro', day('2026-06-09')))).toEqual(notValid);
    expect(thrownBy(() => contract.assertIssuable('web-pro', day('2026-06-21')))).toEqual(notValid);
    expect(String(thrownBy(() => contract.assertIssuable('web-pro', day('2026-06-21'))))).toContain(
      'is not valid on this day',
    );
    expect(aContract().isValidOn(day('9999-12-31'))).toBe(true);
  });

  it('is limited to its editions, which are checked before the validity', () => {
    const error = thrownBy(() => contract.assertIssuable('web-host', day('2030-01-01')));
    expect(error).toMatchObject({
      kind: 'invalid',
      slug: 'edition-not-in-contract',
      message: 'edition web-host is not covered by the contract',
    });
  });

  it('allows every edition if it names none', () => {
    expect(() => aContract().assertIssuable('anything', day('2026-06-10'))).not.toThrow();
  });

  it('stops when the cap of live licenses is reached', () => {
    const capped = aContract({ model: 'flat_capped', licenseCap: 2 });
    expect(() => capped.assertRoom({ live: 1, drawn: 50 })).not.toThrow();
    expect(thrownBy(() => capped.assertRoom({ live: 2, drawn: 2 }))).toMatchObject({
      kind: 'conflict',
      slug: 'contract-cap-reached',
      message: 'The contract allows 2 licenses and all of them are in use.',
    });
  });

  it('stops when the pack is drawn, and terminations return nothing', () => {
    const pack = aContract({ model: 'prepaid_pack', packSize: 2 });
    expect(() => pack.assertRoom({ live: 1, drawn: 1 })).not.toThrow();
    expect(thrownBy(() => pack.assertRoom({ live: 0, drawn: 2 }))).toMatchObject({
      kind: 'conflict',
      slug: 'pack-exhausted',
      message: 'All 2 licenses of the pack have been drawn.',
    });
  });

  it.each<[string, Partial<ContractState>, boolean]>([
    ['with a cap', { model: 'flat_capped', licenseCap: 2 }, true],
    ['capped without its cap', { model: 'flat_capped' }, false],
    ['for a pack', { model: 'prepaid_pack', packSize: 2 }, true],
    ['metered', {}, false],
  ])('counts the licenses of a contract %s', (_, terms, expected) => {
    expect(aContract(terms).countsLicenses).toBe(expected);
  });

  it.each<[string, Partial<ContractState>, boolean]>([
    ['whose licenses are counted', { model: 'flat_capped', licenseCap: 2 }, true],
    ['whose end is the end of its licenses', { model: 'trial' }, true],
    ['that is metered', {}, false],
    ['that is flat and unlimited', { model: 'flat_unlimited' }, false],
  ])('is locked while a license is put on one %s', (_, terms, expected) => {
    expect(aContract(terms).isLockedToIssue).toBe(expected);
  });

  it('has no other limit', () => {
    expect(() => aContract().assertRoom({ live: 1_000_000, drawn: 1_000_000 })).not.toThrow();
    expect(() => aContract({ model: 'flat_capped' }).assertRoom({ live: 1_000_000, drawn: 0 })).not.toThrow();
  });
});

describe('the end of a contract', () => {
  it('is its last valid day', () => {
    const ended = aContract().end(day('2026-06-10'));
    expect(ended.isValidOn(day('2026-06-10'))).toBe(true);
    expect(ended.isValidOn(day('2026-06-11'))).toBe(false);
    expect(ended.validDaysIn(month('2026-06'))).toBe(10);
    expect(aContract().validDaysIn(month('2026-06'))).toBe(30);
  });

  it('must not be before its beginning', () => {
    expect(() => aContract().end(day('2019-12-31'))).toThrow('validTo must not be before validFrom');
  });

  it('can be set even if the other terms would be refused today', () => {
    const old = BillingContract.restore({ ...METERED, currency: 'DEM' });
    expect(old.end(day('2026-06-10')).state.validTo).toEqual(day('2026-06-10'));
  });
});

describe('the validity of a contract', () => {
  it.each([
    ['per_instance_metered', false],
    ['flat_unlimited', true],
    ['flat_capped', true],
    ['prepaid_pack', true],
    ['trial', false],
    ['not_for_resale', false],
  ] as const)('gives a %s contract a line without licenses: %s', (model, expected) => {
    expect(aContract({ model, packSize: model === 'prepaid_pack' ? 5 : null }).hasLineWithoutLicenses).toBe(expected);
  });
});

function thrownBy(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
