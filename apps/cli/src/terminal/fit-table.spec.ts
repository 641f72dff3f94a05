import { fit } from './fit-table.js';

const ID = '019a5b94-b135-7def-a118-8e8fc24abf80';
const widthOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, widths.length + 1);

describe('a table', () => {
  const table = {
    head: ['id', 'name', 'total'],
    rows: [[ID, 'A very long name of a partner in the north', '2,033.74 EUR']],
  };

  it('stays as it is where it fits, or nothing has to', () => {
    for (const columns of [undefined, 200])
      expect(fit(table, columns)).toEqual({ rows: table.rows, widths: undefined });
  });

  it('shortens ids first, then lets the widest columns give way, down to 80 columns and below', () => {
    const { rows, widths } = fit(table, 80);
    expect(rows[0]?.[0]).toBe('…8e8fc24abf80');
    expect(widthOf(widths ?? [])).toBeLessThanOrEqual(80);
    expect(widthOf(fit(table, 50).widths ?? [])).toBe(50);
  });
});
