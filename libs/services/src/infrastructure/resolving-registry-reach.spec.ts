import { ResolvingRegistryReach } from './resolving-registry-reach.js';

describe('a registry that the engine is sent to', () => {
  const asked: string[] = [];
  const reach = (addresses: readonly string[] | Error, allowed: readonly string[] = []) =>
    new ResolvingRegistryReach(new Set(allowed), (host) => {
      asked.push(host);
      if (addresses instanceof Error) return Promise.reject(addresses);
      return Promise.resolve(addresses.map((address) => ({ address })));
    });

  it('may be any that has public addresses alone', async () => {
    expect(await reach(['140.82.121.34', '2a00:1450:4001:82b::200e']).isPublic('ghcr.io:443')).toBe(true);
    expect(asked).toEqual(['ghcr.io']);
  });

  it.each([
    ...['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
    ...['::1', '::', 'fe80::1', 'fd00::1', 'ff02::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '2002:a00:1::'],
  ])('is refused when a name leads to %s, though it leads to a public one as well', async (address) => {
    expect(await reach(['140.82.121.34', address]).isPublic('registry.example.com')).toBe(false);
  });

  it('is refused when its name leads nowhere', async () => {
    expect(await reach([]).isPublic('registry.example.com')).toBe(false);
    expect(await reach(new Error('ENOTFOUND')).isPublic('registry.example.com')).toBe(false);
  });

  it('is not asked about when an administrator listed it, and Docker Hub never', async () => {
    const local = reach(['127.0.0.1'], ['registry.lan:5000']);
    expect(await local.isPublic('registry.lan:5000')).toBe(true);
    expect(await local.isPublic('registry.lan:5001')).toBe(false);
    expect(await local.isPublic('docker.io')).toBe(true);
  });
});
