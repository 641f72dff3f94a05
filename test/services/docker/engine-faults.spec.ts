import { setTimeout as delay } from 'node:timers/promises';
import { SecretText } from '#kernel/crypto/secret-text';
import { PATIENCE } from '../../../tools/lib/tests/patience.mjs';
import { EngineUnavailable } from '../../../libs/services/src/application/ports/engine/container-runtime-errors.js';
import type { RuntimeEvent } from '../../../libs/services/src/application/ports/engine/container-state.js';
import { DockerodeContainerRuntime } from '../../../libs/services/src/infrastructure/docker/dockerode-container-runtime.js';
import { clear, freely, freshServiceId } from '../../contract/container-runtime-bed.js';
import { EngineProxy } from '../../support/docker/engine-proxy.js';
import { describeWithEngine } from '../../support/docker/engine.js';
import { eventually } from '../../support/docker/eventually.js';
import { forgetImages, makeImage } from '../../support/docker/images.js';
import { aContainerSpec, anImageReference } from '../../support/docker/plans.js';

const IMAGE = 'test-engine-faults:1';

describeWithEngine('an engine that fails', () => {
  let proxy: EngineProxy;
  let runtime: DockerodeContainerRuntime;
  let imageId: string;

  beforeAll(async () => {
    imageId = await makeImage(IMAGE);
  });

  beforeEach(async () => {
    proxy = await EngineProxy.create();
    runtime = new DockerodeContainerRuntime({ host: proxy.host, instance: `test-faults-${process.pid}` });
  });

  afterEach(async () => {
    proxy.speakAgain();
    await proxy.close();
    await proxy.open();
    await clear(runtime);
    await proxy.remove();
  });

  afterAll(async () => {
    await forgetImages('test-engine-faults');
  });

  it('is unavailable while it is away, and serves as soon as it is there', async () => {
    await expect(runtime.version()).rejects.toThrow(EngineUnavailable);
    await expect(runtime.listOwned(null)).rejects.toMatchObject({ slug: 'docker_unavailable' });
    await proxy.open();
    expect((await runtime.version()).api).toMatch(/^1\./);
    await proxy.close();
    await expect(runtime.listOwned(null)).rejects.toThrow(EngineUnavailable);
    await proxy.open();
    expect(await runtime.listOwned(null)).toEqual({ containers: [], networks: [], volumes: [] });
  });

  it('is asked in the version that both sides speak', async () => {
    await proxy.open();
    const { api } = await runtime.version();
    await runtime.listOwned(null);
    expect(proxy.sent.toString()).toContain('GET /version HTTP/1.1');
    expect(proxy.sent.toString()).toContain(`GET /v${api}/containers/json?`);
  });

  it('holds nobody when it falls silent, neither by a look, a change nor a pull, and keeps no connection', async () => {
    const impatient = new DockerodeContainerRuntime({
      host: proxy.host,
      readTimeoutMs: 1_000,
      changeTimeoutMs: 1_000,
      pull: { idleMs: 1_000, totalMs: 5_000 },
    });
    await proxy.open();
    await impatient.version();
    proxy.fallSilent();
    const image = anImageReference('registry.example.com/acme/web:1');
    const calls = [
      impatient.version(),
      impatient.inspect('x'),
      impatient.inspectImage(image),
      impatient.listOwned(null),
      impatient.start('x', freely),
      impatient.ensureVolume('x', { key: 'x', name: 'x', labels: new Map() }, freely),
      impatient.removeContainer('x', freely),
      impatient.stop('x', 0, freely),
      impatient.pullImage({ image, policy: 'always' }, freely),
    ];
    const began = Date.now();
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { slug: 'docker_unavailable' } });
    }
    expect(Date.now() - began).toBeLessThan(5_000 * PATIENCE);
    await eventually(
      () => Promise.resolve(proxy.connections),
      (open) => open === 0,
      2_000,
    );
  });

  it('lets a caller go that gives up, with the caller’s own reason', async () => {
    await proxy.open();
    await runtime.version();
    proxy.fallSilent();
    const cancelled = new AbortController();
    const call = runtime.start('x', { ...freely, signal: cancelled.signal });
    setTimeout(() => cancelled.abort(new Error('deployment cancelled')), 30);
    await expect(call).rejects.toThrow('deployment cancelled');
    await eventually(
      () => Promise.resolve(proxy.connections),
      (open) => open === 0,
      2_000,
    );
  });

  it('is unavailable to a call in whose middle it breaks', async () => {
    await proxy.open();
    const serviceId = freshServiceId();
    const { id } = await runtime.createContainer(aContainerSpec({ serviceId, imageId }), freely);
    await runtime.start(id, freely);
    // PID 1 ignores the request, so the engine has not answered yet when the connection breaks.
    const stopping = runtime.stop(id, 2_000, freely);
    setTimeout(() => proxy.cut(), 200);
    await expect(stopping).rejects.toMatchObject({ slug: 'docker_unavailable' });
    await runtime.stop(id, 0, freely);
    expect((await runtime.inspect(id))?.lifecycle).toBe('exited');
  });

  it('tells its events again after a break, none of them twice, and says that there was one', async () => {
    await proxy.open();
    const serviceId = freshServiceId();
    const seen: string[] = [];
    const ended = new AbortController();
    const listening = (async () => {
      for await (const event of runtime.events(new Date(), ended.signal)) seen.push(word(event));
    })();
    const spec = aContainerSpec({ serviceId, imageId }, { command: ['sleep', '60'] });
    const { id } = await runtime.createContainer(spec, freely);
    await eventually(
      () => Promise.resolve(seen),
      (words) => words.includes('created'),
    );
    await proxy.close();
    await delay(50);
    await proxy.open();
    await runtime.start(id, freely);
    await runtime.removeContainer(id, freely);
    await eventually(
      () => Promise.resolve(seen),
      (words) => words.includes('removed'),
    );
    ended.abort();
    await listening;
    // The start may be told before or after the connection is back: in both cases once.
    expect(seen.filter((change) => change !== 'killed')).toEqual(['created', 'resumed', 'started', 'died', 'removed']);
  });

  it('joins the networks that a crash kept a container from', async () => {
    await proxy.open();
    const serviceId = freshServiceId();
    const networks = ['one', 'two'].map((key) => ({ network: `${serviceId}_${key}`, aliases: ['web'] }));
    for (const { network } of networks) {
      await runtime.ensureNetwork(serviceId, { key: '', name: network, internal: false, labels: new Map() }, freely);
    }
    const spec = aContainerSpec({ serviceId, imageId }, { networks });
    let changes = 0;
    const guard = () => (++changes > 1 ? Promise.reject(new Error('killed here')) : Promise.resolve());
    await expect(runtime.createContainer(spec, { guard })).rejects.toThrow('killed here');
    const { id, adopted } = await runtime.createContainer(spec, freely);
    expect(adopted).toBe(true);
    const joined = (await runtime.inspect(id))?.networks.map(({ network }) => network).sort();
    expect(joined).toEqual(networks.map(({ network }) => network));
  });

  it('gets files as plain tar, for it would unpack anything else with the rights of the host', async () => {
    await proxy.open();
    const { id } = await runtime.createContainer(aContainerSpec({ serviceId: freshServiceId(), imageId }), freely);
    const before = proxy.sent.length;
    const file = { path: '/run/x', content: new SecretText('x'), uid: 0, gid: 0, mode: 0o444 };
    await runtime.putFiles(id, [file], freely);
    const request = proxy.sent.subarray(before);
    const tar = request.subarray(request.indexOf('\r\n\r\n') + 4);
    expect(tar.subarray(0, 5).toString()).toBe('run/x');
    expect(tar.subarray(257, 262).toString()).toBe('ustar');
  });
});

function word(event: RuntimeEvent): string {
  return event.kind === 'resumed' ? 'resumed' : event.change;
}
