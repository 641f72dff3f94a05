import type { Uuid } from '#kernel/crypto/uuid';
import { DomainVerification, IngressChanges, IngressRoutes } from '#libs/services';
import { IngressUnavailable } from '../../../libs/services/src/application/ports/ingress/ingress.js';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import { FakeIngress } from '../../support/ingress/fake-ingress.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';

const REGISTRY = 'registry.example.com';

describe('the routes of a service', () => {
  let runtime: FakeContainerRuntime;
  let pipeline: Pipeline;
  let names = 0;
  const ingress = new FakeIngress();

  beforeAll(async () => {
    runtime = new FakeContainerRuntime();
    ingress.onChange = () => runtime.calls.push('route');
    pipeline = await startPipeline(runtime, { ingress, baseDomain: 'apps.test', times: { gate: 20 } });
  });

  afterAll(() => pipeline.close());

  beforeEach(() => {
    ingress.failure = null;
  });

  /** A running service with a name on the web that has been routed. */
  async function running() {
    const image = `${REGISTRY}/app/${++names}:1`;
    runtime.state.publish(image, {});
    const id = await pipeline.create(`services:\n  web:\n    image: ${image}\n    init: true\n`);
    const host = `site-${names}.apps.test`;
    const domain = await pipeline.nameOnTheWeb(id, host);
    await sync();
    runtime.calls.length = 0;
    ingress.history.length = 0;
    return { id, image, host, domain };
  }

  const sync = () => pipeline.app.get(IngressRoutes).sync();
  const routeOf = (host: string) => ingress.routes.find((route) => route.host === host);
  const addressOf = async (id: Uuid) => {
    const [container] = (await pipeline.service(id))!.containerIds;
    return (await runtime.inspect(container!))!.hostAddress;
  };
  /** The address that the host had, state after state. */
  const addressesOf = (host: string) =>
    ingress.history.map((routes) => routes.find((route) => route.host === host)?.upstream?.address ?? null);

  it('lead to the container and port of its domain', async () => {
    const { id, host, domain } = await running();
    const upstream = { address: await addressOf(id), port: 8080 };
    expect(routeOf(host)).toEqual({ id: domain.id, host, tls: 'automatic', upstream });
    expect((await pipeline.service(id))!.url).toBe(`https://${host}`);
  });

  it('switch once, from the old containers to the new ones, after these have proven themselves', async () => {
    const { id, host } = await running();
    const before = await addressOf(id);
    await pipeline.do(id, 'redeploy');
    const after = await addressOf(id);
    expect(after).not.toBe(before);
    expect(addressesOf(host)).toEqual([after]);
  });

  it('stay with the old containers when the new ones fail', async () => {
    const { id, image, host } = await running();
    const before = await addressOf(id);
    runtime.state.publish(image, { command: ['sh', '-c', 'exit 3'] });
    expect(await pipeline.do(id, 'redeploy')).toMatchObject({ status: 'failed', reverted: true });
    expect(routeOf(host)!.upstream!.address).toBe(before);
  });

  it.each(['stop', 'suspend'] as const)('say that it rests before a %s touches a container', async (action) => {
    const { id, host } = await running();
    await pipeline.do(id, action);
    expect(runtime.calls).toEqual(['route', 'stop']);
    expect(routeOf(host)!.upstream).toBeNull();
    await pipeline.do(id, action === 'stop' ? 'start' : 'unsuspend');
    expect(routeOf(host)!.upstream!.address).toBe(await addressOf(id));
  });

  it('are gone before the containers of a removed service', async () => {
    const { id, host } = await running();
    await pipeline.do(id, 'remove');
    expect(runtime.calls[0]).toBe('route');
    expect(runtime.calls).toContain('removeContainer');
    expect(routeOf(host)).toBeUndefined();
    expect(await pipeline.service(id)).toBeNull();
  });

  it('hold nothing up while the ingress is away, and are made up for', async () => {
    const { id, host } = await running();
    ingress.failure = new IngressUnavailable('Caddy does not answer.');
    expect(await pipeline.do(id, 'stop')).toMatchObject({ status: 'succeeded' });
    expect(await pipeline.do(id, 'start')).toMatchObject({ status: 'succeeded' });
    expect(await pipeline.do(id, 'redeploy')).toMatchObject({ status: 'succeeded' });
    const { id: other } = await running().catch(() => ({ id: null }));
    expect(other).toBeNull();
    ingress.failure = null;
    await sync();
    expect(routeOf(host)!.upstream!.address).toBe(await addressOf(id));
    ingress.failure = new IngressUnavailable('Caddy does not answer.');
    expect(await pipeline.do(id, 'remove')).toBeNull();
    ingress.failure = null;
    await sync();
    expect(routeOf(host)).toBeUndefined();
  });

  it('stay as they are while the engine does not answer', async () => {
    const { host } = await running();
    const routes = ingress.routes;
    runtime.answers = false;
    await expect(sync()).rejects.toThrow();
    runtime.answers = true;
    expect(ingress.routes).toBe(routes);
    expect(routeOf(host)!.upstream).not.toBeNull();
  });

  it('are restored when somebody has changed the ingress, and looked at cheaply otherwise', async () => {
    await running();
    const routes = pipeline.app.get(IngressRoutes);
    ingress.routes = [];
    await routes.restore();
    expect(ingress.routes).toEqual([]);
    ingress.isTouched = true;
    await routes.restore();
    expect(ingress.routes).not.toEqual([]);
  });

  it('tell of every change that they have to follow, once', async () => {
    const changes = pipeline.app.get(IngressChanges);
    const { id } = await running();
    await changes.haveCome();
    expect(await changes.haveCome()).toBe(false);
    await pipeline.nameOnTheWeb(id, `second-${names}.apps.test`);
    expect(await changes.haveCome()).toBe(true);
    expect(await changes.haveCome()).toBe(false);
    await pipeline.do(id, 'stop');
    expect(await changes.haveCome()).toBe(true);
    await pipeline.nameOnTheWeb(id, `pending-${names}.example.com`);
    expect(await changes.haveCome()).toBe(false);
  });

  it('share a run when they are asked for at the same time', async () => {
    await running();
    const began = ingress.history.length;
    const { id } = await running();
    await pipeline.nameOnTheWeb(id, `crowd-${names}.apps.test`);
    await Promise.all(Array.from({ length: 10 }, sync));
    expect(ingress.history.length).toBeLessThanOrEqual(began + 1);
    expect(routeOf(`crowd-${names}.apps.test`)).toBeDefined();
  });

  it('remember until when the certificates of their domains are good', async () => {
    const { id, host } = await running();
    ingress.certificateEnd = new Date('2031-01-01T00:00:00Z');
    await pipeline.app.get(DomainVerification).noteCertificates();
    const found = (await pipeline.domainsOf(id)).find((domain) => domain.host === host);
    expect(found!.certificateExpiresAt).toEqual(ingress.certificateEnd);
  });
});
