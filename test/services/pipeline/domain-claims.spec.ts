import { Directory, type Organisation } from '#libs/panel-auth';
import { DomainVerification, OrganisationScope, ServiceDomains, type ServiceDomain } from '#libs/services';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import { ShiftedClock } from '../../support/fixed-clock.js';
import { FakeDnsResolver } from '../../support/ingress/fake-dns-resolver.js';
import { FakeIngress } from '../../support/ingress/fake-ingress.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';

const WEB = 'services:\n  web:\n    image: registry.example.com/acme/web:1\n';
const NOBODY = { userId: null, apiKeyId: null };
const DAY_MS = 86_400_000;

describe('the claim to a host name', () => {
  let pipeline: Pipeline;
  let verification: DomainVerification;
  let mine: Organisation;
  let theirs: Organisation;
  let names = 0;
  const clock = new ShiftedClock();
  const resolver = new FakeDnsResolver();

  beforeAll(async () => {
    const given = { ingress: new FakeIngress(), baseDomain: 'apps.test', resolver, clock };
    pipeline = await startPipeline(new FakeContainerRuntime(), given);
    verification = pipeline.app.get(DomainVerification);
    const directory = pipeline.app.get(Directory);
    mine = await directory.createOrganisation('Mine', null);
    theirs = await directory.createOrganisation('Theirs', null);
  });

  afterAll(() => pipeline.close());

  beforeEach(() => {
    resolver.isAway = false;
  });

  const claim = async (host: string, { id: customerId } = mine) => {
    const { serviceId } = await pipeline.accept(WEB, { customerId });
    return pipeline.nameOnTheWeb(serviceId, host);
  };
  const aHost = () => `shop-${++names}.example.com`;
  const prove = ({ verification: { record, value } }: ServiceDomain) => resolver.records.set(record!, [value!]);
  const now = async ({ serviceId, id }: ServiceDomain) =>
    (await pipeline.domainsOf(serviceId)).find((domain) => domain.id === id);

  it('is looked at soon, and active once the record says what it must', async () => {
    const domain = await claim(aHost());
    const { record } = domain.verification;
    await verification.checkDue();
    expect(await now(domain)).toMatchObject({
      status: 'pending',
      verifiedAt: null,
      verification: { checkedAt: expect.any(Date), errorMessage: `There is no TXT record ${record}.` },
    });
    resolver.records.set(record!, ['v=spf1 -all', 'panel-verification=wrong']);
    expect(await verification.checkDue()).toBe(0);
    clock.advance(11_000);
    await verification.checkDue();
    expect((await now(domain))!.verification.errorMessage).toMatch(
      /^The TXT record .* does not say panel-verification=/,
    );
    prove(domain);
    clock.advance(11_000);
    await verification.checkDue();
    expect(await now(domain)).toMatchObject({
      status: 'active',
      verifiedAt: expect.any(Date),
      verification: { errorMessage: null },
    });
  });

  it('is looked at once, however many workers look', async () => {
    await claim(aHost());
    const looks = await Promise.all([verification.checkDue(), verification.checkDue(), verification.checkDue()]);
    expect(looks.reduce((sum, count) => sum + count)).toBe(1);
  });

  it('says so when no DNS server answers, and is looked at again', async () => {
    const domain = await claim(aHost());
    resolver.isAway = true;
    expect((await verification.verify(OrganisationScope.all, domain.id)).verification.errorMessage).toMatch(
      /could not be looked up: no DNS server answered\.$/,
    );
    resolver.isAway = false;
    prove(domain);
    expect(await verification.verify(OrganisationScope.all, domain.id)).toMatchObject({ status: 'active' });
  });

  it('keeps what was changed while it was being verified', async () => {
    const domain = await claim(aHost());
    prove(domain);
    const domains = pipeline.app.get(ServiceDomains);
    await Promise.all([
      verification.verify(OrganisationScope.all, domain.id),
      domains.change(OrganisationScope.all, domain.id, { targetPort: 9090, tls: 'off' }, NOBODY),
    ]);
    expect(await now(domain)).toMatchObject({ status: 'active', targetPort: 9090, tls: 'off' });
  });

  it('gives way to the next one when nobody has proven it within a week', async () => {
    const host = aHost();
    const first = await claim(host);
    await expect(claim(host, theirs)).rejects.toThrow('belongs to another service');
    clock.advance(6.9 * DAY_MS);
    await verification.checkDue();
    await expect(claim(host, theirs)).rejects.toThrow('belongs to another service');
    clock.advance(0.2 * DAY_MS);
    await verification.checkDue();
    expect(await now(first)).toMatchObject({ status: 'failed' });
    const second = await claim(host, theirs);
    expect(second.verification.value).not.toBe(first.verification.value);
    expect(await now(first)).toBeUndefined();
    prove(first);
    await verification.checkDue();
    expect(await now(second)).toMatchObject({ status: 'pending' });
  });

  it('is held by whoever has proven it, also when the record is gone', async () => {
    const domain = await claim(aHost());
    prove(domain);
    await verification.verify(OrganisationScope.all, domain.id);
    resolver.records.clear();
    clock.advance(30 * DAY_MS);
    await verification.checkDue();
    expect(await now(domain)).toMatchObject({ status: 'active' });
  });

  it('is made for a new service under the base domain, with a name of its own where the name is taken', async () => {
    const domains = pipeline.app.get(ServiceDomains);
    const hosts: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { serviceId } = await pipeline.accept(WEB, { customerId: mine.id });
      const asked = { label: 'My Vectors!', targetService: 'qdrant', targetPort: 6333 };
      const made = await domains.addUnderBaseDomain({ id: serviceId, customerId: mine.id }, asked, NOBODY);
      expect(made).toMatchObject({ isPrimary: true, status: 'active', targetService: 'qdrant', targetPort: 6333 });
      expect((await pipeline.service(serviceId))!.url).toBe(`https://${made!.host}`);
      hosts.push(made!.host);
    }
    expect(hosts).toEqual(['my-vectors.apps.test', expect.stringMatching(/^my-vectors-[0-9a-f]{8}\.apps\.test$/)]);
  });
});
