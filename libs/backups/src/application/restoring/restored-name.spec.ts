import { restoredName } from './restored-name.js';

const AT = new Date('2026-05-01T08:30:12.345Z');

describe('the name of a service with restored data', () => {
  it('contains the old name and the time in UTC', () => {
    expect(restoredName('Shop database', 'restored', AT)).toBe('Shop database restored 2026-05-01 08-30-12');
    expect(restoredName('Shop database', 'as of', AT)).toBe('Shop database as of 2026-05-01 08-30-12');
  });

  it('has at most 200 characters, and cuts no character of the old name in half', () => {
    const name = restoredName('𝄞'.repeat(200), 'restored', AT);
    expect([...name]).toHaveLength(200);
    expect(name).toMatch(/^𝄞+ restored 2026-05-01 08-30-12$/u);
  });
});
