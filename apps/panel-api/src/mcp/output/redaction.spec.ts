import { Redaction } from './redaction.js';

const REDACTED = '[redacted]';

describe('the redaction of output', () => {
  it.each([
    ['postgres://app:s3cret@db/app', `postgres://app:${REDACTED}@db/app`],
    ['jdbc:postgresql+ssl://:s3cret@db', `jdbc:postgresql+ssl://:${REDACTED}@db`],
    ['Authorization: Bearer abcdefgh12', `Authorization: Bearer ${REDACTED}`],
    ['"api_key": "abcdef"', `"api_key": "${REDACTED}"`],
    [`key ${'ghp_'}${'a'.repeat(36)}`, `key ${REDACTED}`],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', REDACTED],
  ])('knows secrets by their form: %s', (text, shown) => {
    expect(Redaction.byForm.text(text)).toBe(shown);
  });

  it.each([
    'postgres://app:{password}@{host}:5432/app',
    'redis://:${REDIS_PASSWORD}@cache',
    'DB_PASSWORD: ${DB_PASSWORD:-}\nAPI_KEY: ${secret:KEY}\nTOKEN={token}',
  ])('leaves what stands for a secret: %s', (text) => {
    expect(Redaction.byForm.text(text)).toBe(text);
  });

  it.each(['postgres://app:{pass}word@db', 'PASSWORD: ${A:-hunter22}', 'TOKEN={a}bcdef', '${TOKEN:-hunter22}'])(
    'redacts a value that only begins like a placeholder: %s',
    (text) => {
      expect(Redaction.byForm.text(text)).toContain(REDACTED);
    },
  );

  it('finds a known value and one by its form that begin before the cut and end after it', () => {
    const redaction = new Redaction(['canary'.repeat(1_000)]);
    expect(redaction.text(`${'x'.repeat(90)}${'canary'.repeat(1_000)}`, 95)).toBe(`${'x'.repeat(90)}[reda…`);
    expect(redaction.text(`${'x'.repeat(90)} Bearer ${'k'.repeat(500)}`, 102)).toBe(`${'x'.repeat(90)} Bearer [red…`);
  });

  it.each([
    ['a long word', 'x'.repeat(16_000)],
    ['many words', 'a.'.repeat(8_000)],
    ['many tokens', 'eyJaaaaaaaaa-'.repeat(1_230)],
    ['many addresses', 'a://b:'.repeat(2_600)],
  ])('takes time in proportion to the length of %s', (_, text) => {
    const cpuMicros = (line: string) => {
      const before = process.cpuUsage().user;
      for (let lines = 0; lines < 20; lines += 1) Redaction.byForm.text(line);
      return process.cpuUsage().user - before;
    };
    const leastOf = (line: string) => Math.min(...Array.from({ length: 3 }, () => cpuMicros(line)));
    // Four times as long: sixteen times the work if every place began a search to the end.
    expect(leastOf(text)).toBeLessThan(9 * Math.max(1_000, leastOf(text.slice(0, text.length / 4))));
  });
});
