import { allOf } from './all-of.js';
import { Invalid } from './errors.js';

const refuse = (name: string, slug?: string) => () => {
  throw Invalid.field(name, 'is wrong', slug);
};

function refusalOf(work: () => unknown): Invalid {
  try {
    work();
  } catch (error) {
    if (error instanceof Invalid) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('checks of one request', () => {
  it('give their results', () => {
    expect(allOf({ a: () => 1, b: () => 'x' })).toEqual({ a: 1, b: 'x' });
  });

  it('are told together', () => {
    const { slug, message, violations } = refusalOf(() => allOf({ a: refuse('a'), b: () => 1, c: refuse('c', 'odd') }));
    expect([slug, message]).toEqual(['validation', 'a is wrong; c is wrong']);
    expect(violations.map(({ path, code }) => [path, code])).toEqual([
      ['/a', 'validation'],
      ['/c', 'odd'],
    ]);
  });

  it('keep the slug that all have', () => {
    expect(refusalOf(() => allOf({ a: refuse('a', 'odd'), c: refuse('c', 'odd') })).slug).toBe('odd');
  });

  it('throw what is no refusal as it is', () => {
    const broken = () => {
      throw new Error('broken');
    };
    expect(() => allOf({ a: refuse('a'), b: broken })).toThrow('broken');
  });
});
