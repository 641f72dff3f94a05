import { humanId } from './human-id.js';

describe('humanId', () => {
  it('begins with the letter of its kind', () => {
    expect(humanId('customer', 1)).toBe('C-1');
    expect(humanId('license', 42)).toBe('L-42');
    expect(humanId('transfer', '9007199254740993')).toBe('T-9007199254740993');
    expect(humanId('contact', 7)).toBe('P-7');
  });
});
