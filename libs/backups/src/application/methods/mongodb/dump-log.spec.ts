import type { CollectionFacts } from './collection-facts.js';
import { DumpLog } from './dump-log.js';

const AT = '2026-11-25T15:04:05.000+0000\t';

function named(name: string, kind: CollectionFacts['kind'] = 'collection'): CollectionFacts {
  return { name, kind, indexes: [], hasValidator: false };
}

function told(lines: readonly string[], collections: readonly CollectionFacts[], cut = 1 << 20) {
  const log = new DumpLog();
  const bytes = Buffer.from(lines.map((line) => `${AT}${line}\n`).join(''));
  for (let at = 0; at < bytes.length; at += cut) log.add(bytes.subarray(at, at + cut));
  return log.documentsOf('shop', collections);
}

describe('the numbers of documents that mongodump reports', () => {
  it('are read for each collection: one document, many, none, and unusual names', () => {
    const lines = [
      'writing shop.books to archive on stdout',
      '[########................]  shop.books  101/300  (33.7%)',
      '',
      'done dumping shop.books (300 documents)',
      'done dumping shop.one (1 document)',
      'done dumping shop.none (0 documents)',
      'done dumping shop.a.b c (3 documents) (2 documents)',
      'done dumping shop.Bücher (12345678901 documents)',
    ];
    const names = ['books', 'one', 'none', 'a.b c (3 documents)', 'Bücher'];
    const expected = { books: 300, one: 1, none: 0, 'a.b c (3 documents)': 2, Bücher: 12345678901 };
    for (const cut of [1 << 20, 7, 1])
      expect(
        told(
          lines,
          names.map((name) => named(name)),
          cut,
        ),
      ).toEqual(expected);
  });

  it('are those of the buckets for a time series, and are left out for a view', () => {
    const lines = ['done dumping shop.system.buckets.heat (2 documents)', 'done dumping shop.cheap (0 documents)'];
    const collections = [named('heat', 'time series'), named('cheap', 'view')];
    expect(told(lines, collections)).toEqual({ 'system.buckets.heat': 2 });
  });

  it.each([
    ['a collection is missing', ['done dumping shop.books (3 documents)'], ['books', 'other']],
    [
      'there is one too many',
      ['done dumping shop.books (3 documents)', 'done dumping shop.x (0 documents)'],
      ['books'],
    ],
    [
      'one is told twice',
      ['done dumping shop.books (3 documents)', 'done dumping shop.books (4 documents)'],
      ['books'],
    ],
    ['it is of another database', ['done dumping admin.books (3 documents)'], ['books']],
    ['the number is another word', ['done dumping shop.books (three documents)'], ['books']],
    ['the noun does not fit', ['done dumping shop.books (1 documents)'], ['books']],
    ['the noun is another', ['done dumping shop.books (3 rows)'], ['books']],
  ])('is not taken when %s', (_, lines, names) => {
    expect(
      told(
        lines,
        names.map((name) => named(name)),
      ),
    ).toBeNull();
  });

  it('are not used when a view has documents', () => {
    expect(told(['done dumping shop.cheap (3 documents)'], [named('cheap', 'view')])).toBeNull();
  });

  it('are not used without the timestamp before them, since a name with a line break could look like a message', () => {
    const log = new DumpLog();
    log.add(Buffer.from('done dumping shop.books (3 documents)\n'));
    expect(log.documentsOf('shop', [named('books')])).toBeNull();
  });
});
