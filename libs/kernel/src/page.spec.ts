import { PageRequest } from './page.js';
import { parseUuid } from './crypto/uuid.js';

describe('PageRequest', () => {
  it.each([undefined, null, '', '0', '201', '-1', '1.5', '1e2', ' 7', 'ten', ['7', '8'], 0, 201, 1.5, NaN])(
    'falls back to 50 for the limit %j',
    (limit) => {
      expect(PageRequest.lenient(limit, '0').limit).toBe(50);
    },
  );

  it.each([
    ['1', 1],
    ['200', 200],
    [7, 7],
  ])('takes the limit %j', (limit, expected) => {
    expect(PageRequest.lenient(limit, undefined).limit).toBe(expected);
  });

  it.each([undefined, '-1', '0.5', 'x', ['1'], -3])('falls back to 0 for the offset %j', (offset) => {
    expect(PageRequest.lenient(undefined, offset).offset).toBe(0);
  });

  it('accepts any whole offset, and caps one above the safe integers', () => {
    expect(PageRequest.lenient(undefined, '1000000').offset).toBe(1_000_000);
    expect(PageRequest.lenient(undefined, '99999999999999999999').offset).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('pages by key if one is given', () => {
    const after = parseUuid('0198c0de-0000-7000-8000-000000000001');
    expect(PageRequest.lenient('5', '0', after)).toMatchObject({ limit: 5, after });
    expect(PageRequest.lenient('5', '0').after).toBeNull();
  });
});
