import { SecretText } from '#kernel/crypto/secret-text';
import { interpolate, interpolateTemplate } from './interpolation.js';
import { Findings, Place } from '../place.js';

function read(text: string, variables: Record<string, string> = {}) {
  const findings = new Findings();
  const value = interpolate({ x: text }, new Map(Object.entries(variables)), Place.root(findings));
  return { value: (value as { x: string }).x, findings };
}

describe('a variable', () => {
  it.each([
    ['$A-$B', 'one-two'],
    ['${A}${B}', 'onetwo'],
    ['${NONE:-d}', 'd'],
    ['${EMPTY:-d}', 'd'],
    ['${EMPTY-d}', ''],
    ['${A:-d}', 'one'],
    ['${NONE:-${B}}', 'two'],
    ['${NONE:-a ${NONE-b} c}', 'a b c'],
    ['${A:+yes}', 'yes'],
    ['${EMPTY:+yes}', ''],
    ['${EMPTY+yes}', 'yes'],
    ['${NONE+yes}', ''],
    ['${A:?needed}', 'one'],
    ['$$A $${A} $$', '$A ${A} $'],
    ['${NONE:-}', ''],
    ['a}b', 'a}b'],
  ])('is replaced as Compose replaces it: %s', (text, expected) => {
    const { value, findings } = read(text, { A: 'one', B: 'two', EMPTY: '' });
    expect(value).toBe(expected);
    expect(findings).toMatchObject({ violations: [], warnings: [] });
  });

  it('that is not given is empty, with a warning, unless it is required', () => {
    expect(read('a${NONE}b')).toMatchObject({
      value: 'ab',
      findings: { violations: [], warnings: [{ path: '/x', code: 'variable_unset' }] },
    });
    expect(read('${NONE:?tell me}').findings.violations).toMatchObject([{ path: '/x', code: 'variable_missing' }]);
    expect(read('${EMPTY:?}', { EMPTY: '' }).findings.violations).toHaveLength(1);
    expect(read('${EMPTY?}', { EMPTY: '' }).findings.violations).toHaveLength(0);
  });

  it('is never read from a value that was put in', () => {
    expect(read('${A}', { A: '${B} $B ${secret:X} $$', B: 'no' }).value).toBe('${B} $B ${secret:X} $$');
  });

  it.each([
    '$',
    '${',
    '${}',
    '${A',
    '$1',
    '${1}',
    '$ A',
    '${A:}',
    '${A:-',
    '${A!x}',
    `${'${A:-'.repeat(20)}${'}'.repeat(20)}`,
  ])('cannot be read in "%s"', (text) => {
    expect(read(text).findings.violations).toMatchObject([{ path: '/x', code: 'interpolation_invalid' }]);
  });
});

describe('a secret of the organisation', () => {
  it('stays a reference until deployment', () => {
    const findings = new Findings();
    const template = interpolateTemplate('postgres://$U:${secret:DB}@db', new Map([['U', 'me']]), Place.root(findings));
    expect(template.secretNames).toEqual(['DB']);
    expect(template.resolve(new Map([['DB', new SecretText('pw')]])).reveal()).toBe('postgres://me:pw@db');
    expect(() => template.resolve(new Map())).toThrow('The secret DB does not exist.');
  });

  it('is never printed, nor is the text around it', () => {
    const template = interpolateTemplate('canary', new Map(), Place.root(new Findings()));
    expect(String(template) + JSON.stringify({ template, parts: template.parts })).not.toContain('canary');
  });

  it('is refused where it would be seen', () => {
    expect(read('${secret:DB}').findings.violations).toMatchObject([{ path: '/x' }]);
  });

  it.each(['db', 'DB-MAIN', 'Db', '_DB', '1DB', 'D'.repeat(65), ''])(
    'is refused by its name where no secret can be called that: ${secret:%s}',
    (name) => {
      const findings = new Findings();
      interpolateTemplate(`a\${secret:${name}}`, new Map(), Place.root(findings).at('x'));
      const message: unknown = expect.stringContaining(`No secret can be called "${name}"`);
      expect(findings.violations).toEqual([{ path: '/x', code: 'interpolation_invalid', message }]);
    },
  );
});
