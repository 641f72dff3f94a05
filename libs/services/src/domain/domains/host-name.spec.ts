import { Invalid } from '#kernel/errors';
import { liesUnder, parentsOf, parseHostName } from './host-name.js';

const refusal = (text: string): string => {
  try {
    return `accepted as ${parseHostName(text)}`;
  } catch (error) {
    return (error as Invalid).violations.map(({ path, message }) => `${path} ${message}`).join();
  }
};

describe('a host name', () => {
  it.each([
    ['shop.example.com', 'shop.example.com'],
    ['SHOP.Example.COM', 'shop.example.com'],
    ['shop.example.com.', 'shop.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['shop。example．com', 'shop.example.com'],
    ['a-b.1x.example', 'a-b.1x.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('%s has the one form %s', (text, host) => {
    expect(parseHostName(text)).toBe(host);
  });

  it.each([
    ['', 'must not be empty'],
    ['*.example.com', 'wildcard'],
    ['shop.*.com', 'wildcard'],
    ['192.0.2.1', 'IP address'],
    ['0x7f.1', 'IP address'],
    ['2130706433', 'IP address'],
    ['１２７.0.0.1', 'IP address'],
    ['::1', 'IP address'],
    ['[2001:db8::1]', 'IP address'],
    ['shop.example.com:8443', 'without scheme, port'],
    ['https://shop.example.com', 'without scheme'],
    ['shop.example.com/path', 'path'],
    ['user@shop.example.com', 'only'],
    ['shop%2eexample.com', 'only'],
    ['shop .example.com', 'spaces'],
    [' shop.example.com', 'spaces'],
    ['shop.example.com\n', 'spaces'],
    ['shop.exam\u200bple.com', 'spaces'],
    ['localhost', 'two labels'],
    ['shop', 'two labels'],
    ['a.localhost', '.localhost'],
    ['a.invalid', '.invalid'],
    ['1.0.0.127.in-addr.arpa', '.arpa'],
    ['-shop.example.com', 'labels'],
    ['shop-.example.com', 'labels'],
    ['_dmarc.example.com', 'labels'],
    ['shop..example.com', 'labels'],
    ['shop.example.com..', 'labels'],
    [`${'a'.repeat(64)}.example`, 'labels'],
    [`${'a.'.repeat(130)}example`, 'labels'],
    ['xn--a.example', 'not a valid host name'],
  ])('%j is refused with the name of the field', (text, reason) => {
    expect(refusal(text)).toMatch(/^\/host host /);
    expect(refusal(text)).toContain(reason);
  });

  it('lies under a base domain only behind a dot', () => {
    expect(liesUnder('shop.apps.test', 'apps.test')).toBe(true);
    expect(liesUnder('myapps.test', 'apps.test')).toBe(false);
    expect(liesUnder('apps.test', 'apps.test')).toBe(false);
  });

  it('knows all names above it', () => {
    expect(parentsOf('a.b.example.com')).toEqual(['b.example.com', 'example.com', 'com']);
  });
});
