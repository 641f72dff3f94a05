import { comparisonOf, inventoryDefect, totalObjects, totalRows } from './inventory.js';

const INVENTORY = { objects: { table: 2, index: 3 }, rows: { 'public.a': 10, 'public.b': 0 } };

describe('an inventory', () => {
  it('has totals of objects and rows', () => {
    expect([totalObjects(INVENTORY), totalRows(INVENTORY)]).toEqual([5, 10]);
    expect(totalRows({ ...INVENTORY, rows: null })).toBeNull();
  });

  it('equals an inventory with the same entries in another order', () => {
    const other = { objects: { index: 3, table: 2 }, rows: { 'public.b': 0, 'public.a': 10 } };
    expect(inventoryDefect(INVENTORY, other)).toBeNull();
  });

  it.each([
    [
      'an object less',
      { ...INVENTORY, objects: { table: 2, index: 2 } },
      'The restored copy has 2 objects of the kind index, the dump 3.',
    ],
    [
      'a kind more',
      { ...INVENTORY, objects: { ...INVENTORY.objects, view: 1 } },
      'The restored copy has 1 objects of the kind view, the dump 0.',
    ],
    [
      'a row more',
      { ...INVENTORY, rows: { ...INVENTORY.rows, 'public.b': 1 } },
      'The restored copy has 1 rows in public.b, the dump 0.',
    ],
    ['no rows at all', { ...INVENTORY, rows: null }, 'The restored copy has 0 rows in public.a, the dump 10.'],
  ])('tells %s', (_, found, defect) => expect(inventoryDefect(INVENTORY, found)).toBe(defect));

  it('compares the contents of rows if the dump has digests of them', () => {
    const dump = { ...INVENTORY, contents: { 'public.a': '17', 'public.b': '0' } };
    expect([comparisonOf(dump), comparisonOf(INVENTORY)]).toEqual(['contents', 'counts']);
    expect(inventoryDefect(dump, dump)).toBeNull();
    expect(inventoryDefect(INVENTORY, dump)).toBeNull();
    const other = 'The restored copy has other contents in public.a than the dump.';
    expect(inventoryDefect(dump, { ...dump, contents: { 'public.a': '18', 'public.b': '0' } })).toBe(other);
    expect(inventoryDefect(dump, INVENTORY)).toBe(other);
  });

  it('compares the values of those sequences that the dump contains', () => {
    const dump = { ...INVENTORY, sequences: { 'public.a_id_seq': '10' } };
    expect(inventoryDefect(dump, { ...dump, sequences: { ...dump.sequences, 'public.busy': '7' } })).toBeNull();
    const other = (there: string) =>
      `The sequence public.a_id_seq of the restored copy stands at ${there}, the dump’s at 10.`;
    expect(inventoryDefect(dump, { ...dump, sequences: { 'public.a_id_seq': '1' } })).toBe(other('1'));
    expect(inventoryDefect(dump, INVENTORY)).toBe(other('nothing'));
  });

  it('does not compare rows that could not be counted', () => {
    expect(inventoryDefect({ ...INVENTORY, rows: null }, INVENTORY)).toBeNull();
  });
});
