import { isHostScopedAddress, isIpAddress } from './ip-address.js';

it.each(['1.2.3.4', '255.255.255.255', '::', '::1', '2001:db8::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4', 'fe80::1'])(
  'an address: %s',
  (text) => {
    expect(isIpAddress(text)).toBe(true);
  },
);

it.each([
  '',
  '1.2.3',
  '01.2.3.4',
  '256.1.1.1',
  '1.2.3.4.5',
  '0x7f.0.0.1',
  ':::',
  '1::2::3',
  '1:2:3',
  '1:2:3:4:5:6:7:8:9',
  'fe80::1%eth0',
  '12345::',
  'g::',
])('no address: "%s"', (text) => {
  expect(isIpAddress(text)).toBe(false);
});

it.each([
  '127.0.0.53',
  '0.0.0.0',
  '169.254.169.254',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::ffff:127.0.0.1',
  '0:0:0:0:0:0:0:1',
  'fe80::1',
  'ff02::1',
  '64:ff9b::7f00:1',
])('an address of the host itself: %s', (text) => {
  expect(isHostScopedAddress(text)).toBe(true);
});

it.each(['9.9.9.9', '10.0.0.53', '192.168.1.1', '2620:fe::fe', '128.0.0.1'])('an address of others: %s', (text) => {
  expect(isHostScopedAddress(text)).toBe(false);
});
