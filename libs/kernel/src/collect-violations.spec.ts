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

describe('collectViolations', () => {
  it('returns the results of all checks', () => {
    expect(collectViolations({ a: () => 1, b: () => 'x' })).toEqual({ a: 1, b: 'x' });
  });

  it('reports all violations together', () => {
    const { slug, message, violations } = refusalOf(() =>
      collectViolations({ a: refuse('a'), b: () => 1, c: refuse('c', 'odd') }),
    );
    expect([slug, message]).toEqual(['validation', 'a is wrong; c is wrong']);
    expect(violations.map(({ path, code }) => [path, code])).toEqual([
      ['/a', 'validation'],
      ['/c', 'odd'],
    ]);
  });

  it('keeps the slug if all errors share it', () => {
    expect(refusalOf(() => collectViolations({ a: refuse('a', 'odd'), c: refuse('c', 'odd') })).slug).toBe('odd');
  });

  it('rethrows any other error unchanged', () => {
    const broken = () => {
      throw new Error('broken');
    };
    expect(() => collectViolations({ a: refuse('a'), b: broken })).toThrow('broken');
  });
});
