import { parseUuid } from './uuid.js';

const CANONICAL = '0198c0de-abcd-7000-8000-00000000000f';

describe('parseUuid', () => {
  it('reads a UUID of any version and writes it in lower case', () => {
    expect(parseUuid(CANONICAL)).toBe(CANONICAL);
    expect(parseUuid(CANONICAL.toUpperCase())).toBe(CANONICAL);
    expect(parseUuid('00000000-0000-0000-0000-000000000000')).toBe('00000000-0000-0000-0000-000000000000');
  });

  it.each([
    `{${CANONICAL}}`,
    CANONICAL.replaceAll('-', ''),
    ` ${CANONICAL}`,
    `${CANONICAL}\n`,
    CANONICAL.replace('f', 'g'),
    'L-42',
    '',
    7,
    null,
    undefined,
    [CANONICAL],
  ])('returns null for %j', (text) => {
    expect(parseUuid(text)).toBeNull();
  });
});
