import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { csvRecord } from './csv.js';

describe('csvRecord', () => {
  it('separates cells by commas and ends with CRLF', () => {
    expect(csvRecord(['a', 1, null, '', 'b'])).toBe('a,1,,,b\r\n');
  });

  it('quotes cells with special characters and doubles quotes inside', () => {
    expect(csvRecord(['a,b', 'say "hi"', 'two\nlines', 'cr\rlf'])).toBe('"a,b","say ""hi""","two\nlines","cr\rlf"\r\n');
  });

  it.each([
    ['=1+1', `'=1+1`],
    ['+49 30', `'+49 30`],
    ['-1', `'-1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\t=1', `'\t=1`],
    ['\r=1', `"'\r=1"`],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ])('prevents a spreadsheet from running %j', (text, cell) => {
    expect(csvRecord([text])).toBe(`${cell}\r\n`);
  });

  it('leaves numbers and harmless texts alone', () => {
    expect(csvRecord([-5, 'a=b', '…ABC123', `'quoted`])).toBe(`-5,a=b,…ABC123,'quoted\r\n`);
  });

  it('writes what csv-stringify writes', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '"', ',', ';', '\r', '\n', '\t', '=', '+', '-', '@', "'"),
    });
    const cell = fc.oneof(text, fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null));
    const options = { record_delimiter: '\r\n', quoted_match: /[\r\n]/, escape_formulas: true };
    // The library also treats the full-width forms of these characters as the start of a formula.
    const wide = /^[\uff1d\uff0b\uff0d\uff20]/;
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
        fc.pre(!cells.some((value) => typeof value === 'string' && wide.test(value)));
        expect(csvRecord(cells)).toBe(stringify([cells], options));
      }),
    );
  });

  it('can be read back cell by cell', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', '=', '…') });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (cells) => {
        const safe = cells.map((cell) => (/^[=\r]/.test(cell) ? `'${cell}` : cell));
        expect(readRecord(csvRecord(cells))).toEqual(safe);
      }),
    );
  });
});

/** A reader of one RFC 4180 record, written independently of the writer. */
function readRecord(record: string): string[] {
  const cells = [...`,${record.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)];
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}
