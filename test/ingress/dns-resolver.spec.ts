import { DnsUnavailable } from '../../libs/services/src/application/ports/ingress/dns-resolver.js';
import { NodeDnsResolver } from '../../libs/services/src/infrastructure/domains/node-dns-resolver.js';
import { DnsServer } from '../support/ingress/dns-server.js';

describe('the DNS resolver', () => {
  const server = new DnsServer();
  let resolver: NodeDnsResolver;

  beforeAll(async () => {
    resolver = new NodeDnsResolver([await server.start()]);
  });
  afterAll(() => server.stop());

  it('reads every TXT record of a name, with its parts put together', async () => {
    server.records.set('_panel-challenge.shop.example.com', [['v=spf1 -all'], ['panel-', 'verification=abc']]);
    const found = await resolver.txt('_panel-challenge.shop.example.com');
    expect([...found].sort()).toEqual(['panel-verification=abc', 'v=spf1 -all']);
  });

  it('finds nothing at a name that does not exist, and none where there are no such records', async () => {
    expect(await resolver.txt('nobody.example.com')).toEqual([]);
    server.records.set('empty.example.com', []);
    expect(await resolver.txt('empty.example.com')).toEqual([]);
  });

  it('says so when no server answers', async () => {
    const silent = new DnsServer();
    const address = await silent.start();
    await silent.stop();
    await expect(new NodeDnsResolver([address]).txt('shop.example.com')).rejects.toThrow(DnsUnavailable);
  });
});
