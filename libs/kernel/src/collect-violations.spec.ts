import { collectViolations } from './collect-violations.js';
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
    expect(collectViolations({ a: () => 1, b: () => 'x' })).toEqual({ a: 1, b: 'x' });
  });

  it('are told together', () => {
    const { slug, message, violations } = refusalOf(() =>
      collectViolations({ a: refuse('a'), b: () => 1, c: refuse('c', 'odd') }),
    );
    expect([slug, message]).toEqual(['validation', 'a is wrong; c is wrong']);
    expect(violations.map(({ path, code }) => [path, code])).toEqual([
      ['/a', 'validation'],
      ['/c', 'odd'],
    ]);
  });

  it('keep the slug that all have', () => {
    expect(refusalOf(() => collectViolations({ a: refuse('a', 'odd'), c: refuse('c', 'odd') })).slug).toBe('odd');
  });

  it('throw what is no refusal as it is', () => {
    const broken = () => {
      throw new Error('broken');
    };
    expect(() => collectViolations({ a: refuse('a'), b: broken })).toThrow('broken');
  });
});
