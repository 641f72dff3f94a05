import { listed } from './listed-license.js';

const IDS = [1, 2, 3, 4, 5].map((n) => `0198a3f2-1b2c-7d3e-8f4a-00000000000${n}`);

const shown = (facts: string, ...texts: string[]) => listed([IDS.join(''), facts, ...texts]);

describe('a license in a list', () => {
  it('is read from the texts of its row', () => {
    expect(
      shown('17|terminated|2026-03-01 10:00:00.12|2026-04-01 00:00:00', '…9F3K2A', 'web-host', 'order 1', 'm'),
    ).toEqual({
      id: IDS[0],
      humanId: 'L-17',
      partnerId: IDS[1],
      customerId: IDS[2],
      contractId: IDS[3],
      upstreamLicenseId: IDS[4],
      keyMasked: '…9F3K2A',
      edition: 'web-host',
      state: 'terminated',
      externalBillingRef: 'order 1',
      metadata: 'm',
      issuedAt: new Date('2026-03-01T10:00:00.120Z'),
      terminatedAt: new Date('2026-04-01T00:00:00.000Z'),
    });
  });

  it('shows instants to the millisecond', () => {
    expect(shown('17|active|2026-03-01 10:00:00.123456', '', '', '', '').issuedAt).toEqual(
      new Date('2026-03-01T10:00:00.123Z'),
    );
  });

  it.each([
    ['quotes and backslashes', 'a "b" \\ \\"'],
    ['control characters', 'a\nb\tc\u0001\u001f'],
    ['text that looks like the end of the JSON', '"},{"id":"x'],
    ['letters of every kind', 'Zoë … 🐘 \u2028 \u007f'],
    ['half a surrogate pair', 'a\ud83d b\udc18'],
    ['nothing', ''],
  ])('keeps %s in its free texts', (_, text) => {
    expect(shown('17|active|2026-03-01 10:00:00', text, text, text, text)).toMatchObject({
      keyMasked: text,
      edition: text,
      externalBillingRef: text,
      metadata: text,
      terminatedAt: null,
    });
  });
});
