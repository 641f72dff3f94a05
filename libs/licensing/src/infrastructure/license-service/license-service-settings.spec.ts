import { inspect } from 'node:util';
import { z } from 'zod';
import { readEnv } from '#platform/config/read-env';
import { keygenOptions, licenseServiceSettings, refuseHalfKeygen } from './license-service-settings.js';

const schema = z.object({ ...licenseServiceSettings, OTHER: z.string().optional() }).superRefine(refuseHalfKeygen);
const POLICY = '1f3c2a44-8d0e-4e1c-9b9f-0a5f0d3d7c21';
const OTHER_POLICY = '2f3c2a44-8d0e-4e1c-9b9f-0a5f0d3d7c21';
const KEYGEN = {
  LICENSE_SERVICE: 'keygen',
  KEYGEN_HOST: 'api.keygen.sh',
  KEYGEN_ACCOUNT_ID: 'demo',
  KEYGEN_TOKEN: 'prod-0123456789abcdef',
  EDITIONS: `power-user=${POLICY},web-host=${OTHER_POLICY}`,
};

describe('the settings of the license service', () => {
  it('default to the local license service with four editions', () => {
    const settings = readEnv(schema, {});
    expect(settings.LICENSE_SERVICE).toBe('local');
    expect(settings.EDITIONS.map(({ edition }) => edition)).toEqual(['power-user', 'web-host', 'web-pro', 'web-admin']);
    expect(keygenOptions(settings)).toBeNull();
  });

  it('accept names without policies, and keep policies that only Keygen would need', () => {
    const settings = readEnv(schema, { EDITIONS: `solo, web-host=${POLICY}` });
    expect(settings.EDITIONS).toEqual([
      { edition: 'solo', policyId: null },
      { edition: 'web-host', policyId: POLICY },
    ]);
  });

  it('give the origin, account, token and policies for Keygen', () => {
    const options = keygenOptions(readEnv(schema, KEYGEN));
    expect(options).toMatchObject({ origin: 'https://api.keygen.sh', accountId: 'demo' });
    expect(options?.token.reveal()).toBe('prod-0123456789abcdef');
    expect(options?.policies.get('web-host')).toBe(OTHER_POLICY);
  });

  it('do not print the token', () => {
    const settings = readEnv(schema, KEYGEN);
    expect(inspect(settings) + JSON.stringify(settings)).not.toContain('0123456789abcdef');
  });

  it.each(['KEYGEN_HOST', 'KEYGEN_ACCOUNT_ID', 'KEYGEN_TOKEN'])('refuse Keygen without %s', (name) => {
    expect(() => readEnv(schema, { ...KEYGEN, [name]: '' })).toThrow(`${name}: is required`);
  });

  it('name everything that is missing for Keygen at once', () => {
    expect(() => readEnv(schema, { LICENSE_SERVICE: 'keygen' })).toThrow(
      /KEYGEN_HOST: .*KEYGEN_ACCOUNT_ID: .*KEYGEN_TOKEN: .*EDITIONS: /,
    );
  });

  it.each([
    ['an edition without a policy', 'power-user'],
    ['one policy for two editions', `power-user=${POLICY},web-host=${POLICY}`],
  ])('refuse Keygen with %s', (_what, EDITIONS) => {
    expect(() => readEnv(schema, { ...KEYGEN, EDITIONS })).toThrow('EDITIONS: must name one Keygen policy');
  });

  it.each(['Power User', 'a,,b', 'a,a', 'a=b', `a=${POLICY}=x`, '-a', '=', ','])(
    'refuse the editions %s',
    (EDITIONS) => {
      expect(() => readEnv(schema, { EDITIONS })).toThrow('EDITIONS: must be');
    },
  );

  it.each([
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
    ['http://localhost:4010/', 'http://localhost:4010'],
    ['http://[::1]:4010', 'http://[::1]:4010'],
    ['https://keygen.example:8443', 'https://keygen.example:8443'],
  ])('accept the host %s', (KEYGEN_HOST, origin) => {
    expect(keygenOptions(readEnv(schema, { ...KEYGEN, KEYGEN_HOST }))?.origin).toBe(origin);
  });

  it.each([
    'http://keygen.example',
    'http://127.0.0.1.example',
    'https://user:pass@keygen.example',
    'keygen.example/path',
    'ftp://keygen.example',
    'not a host',
  ])('refuse to send the token to %s', (KEYGEN_HOST) => {
    expect(() => readEnv(schema, { ...KEYGEN, KEYGEN_HOST })).toThrow('KEYGEN_HOST: must be a host name');
  });

  it('refuse another license service', () => {
    expect(() => readEnv(schema, { LICENSE_SERVICE: 'none' })).toThrow('LICENSE_SERVICE: must be local or keygen');
  });
});
