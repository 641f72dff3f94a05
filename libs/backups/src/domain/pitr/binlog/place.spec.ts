import { nameOfPlace, numberOfFile, placeOfName } from './place.js';

describe('a position in a binary log', () => {
  const place = { history: 2, file: 17, made: '6b06c064', offset: 344 };

  it('has a name that sorts in the order of the log', () => {
    const names = [
      place,
      { ...place, offset: 4_000_000_000 },
      { ...place, file: 100, offset: 0 },
      { ...place, file: 1_000_000, offset: 0 },
      { ...place, history: 3, file: 1 },
    ].map(nameOfPlace);
    expect(names[0]).toBe('000002-0000000017-6b06c064-000000000344');
    expect([...names].sort()).toEqual(names);
  });

  it('is parsed from its name, and other texts are refused', () => {
    expect(placeOfName(nameOfPlace(place))).toEqual(place);
    for (const text of ['000000010000000000000001', '', '2-17-6b06c064-344'])
      expect(() => placeOfName(text)).toThrow(RangeError);
  });

  it('takes the number of the file from the end of the file’s name', () => {
    expect([numberOfFile('mariadb-bin.000007'), numberOfFile('binlog.1000000'), numberOfFile('binlog.index')]).toEqual([
      ...[7, 1_000_000, Number.NaN],
    ]);
  });
});
