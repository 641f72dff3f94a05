import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import type { ContainerRuntime } from '../../../libs/services/src/application/ports/engine/container-runtime.js';
import { DockerodeContainerRuntime } from '../../../libs/services/src/infrastructure/docker/dockerode-container-runtime.js';
import { clear, freely, freshServiceId } from '../../contract/container-runtime-bed.js';
import { engineHost, engineJson } from '../../support/docker/engine-http.js';
import { describeWithEngine } from '../../support/docker/engine.js';
import { forgetImages, makeImage, publishImage } from '../../support/docker/images.js';
import { aContainerSpec, anImageReference } from '../../support/docker/plans.js';
import { startRegistry, type TestRegistry } from '../../support/docker/registry.js';

describeWithEngine('a registry that fails', () => {
  let registry: TestRegistry;
  let runtime: ContainerRuntime;
  const instance = `test-registry-${process.pid}`;

  beforeAll(async () => {
    registry = await startRegistry();
    runtime = new DockerodeContainerRuntime({ host: engineHost(), instance });
  });

  afterAll(async () => {
    await clear(runtime);
    await forgetImages(registry.host);
    await registry.stop();
  });

  it('makes a forced pull fail while it is down, and serves again when it is back', async () => {
    const second = await startRegistry();
    const reference = `${second.host}/back:1`;
    const image = anImageReference(reference);
    await publishImage(reference);
    const standing = await runtime.pullImage({ image, policy: 'always' }, freely);
    await second.stop();
    await expect(runtime.pullImage({ image, policy: 'always' }, freely)).rejects.toMatchObject({
      slug: 'image_pull_failed',
      reason: 'unreachable',
    });
    expect(await runtime.inspectImage(image)).toEqual(standing);
    const again = await startRegistry({ port: Number(second.host.split(':')[1]) });
    const digest = await publishImage(reference, { labels: { build: '2' } });
    expect((await runtime.pullImage({ image, policy: 'always' }, freely)).digest).toBe(digest);
    await forgetImages(second.host);
    await again.stop();
  });

  it('does not change what runs when its tag moves between the pull and the creation', async () => {
    const reference = `${registry.host}/moving:1`;
    const image = anImageReference(reference);
    await publishImage(reference, { labels: { build: 'checked' } });
    const checked = await runtime.pullImage({ image, policy: 'always' }, freely);
    await publishImage(reference, { labels: { build: 'unchecked' } });
    await runtime.pullImage({ image, policy: 'always' }, freely);
    // As if someone had also moved the tag on the engine itself.
    await makeImage(reference, { labels: { build: 'local' } });
    const spec = aContainerSpec({ serviceId: freshServiceId(), imageId: checked.id });
    const { id } = await runtime.createContainer(spec, freely);
    const found = await engineJson<{ Image: string }>('GET', `/containers/${id}/json`);
    expect(found.Image).toBe(checked.id);
    const labels = await engineJson<{ Config: { Labels: object } }>('GET', `/images/${found.Image}/json`);
    expect(labels.Config.Labels).toEqual({ build: 'checked' });
  });

  it('shows what an image claims in its labels before anything is made of it', async () => {
    const reference = `${registry.host}/claiming:1`;
    const labels = { 'panel.service': 'someone-else', 'com.docker.compose.project': 'x', 'traefik.enable': 'true' };
    await publishImage(reference, { labels });
    const image = await runtime.pullImage({ image: anImageReference(reference), policy: 'always' }, freely);
    expect(Object.fromEntries(image.labels)).toEqual(labels);
  });

  it('does not let the labels of an image pass for ours', async () => {
    const reference = `${registry.host}/disguised:1`;
    const foreign = freshServiceId();
    await publishImage(reference, { labels: { 'panel.service': foreign, 'panel.deployment': 'd', 'panel.role': 'r' } });
    const { id: imageId } = await runtime.pullImage({ image: anImageReference(reference), policy: 'always' }, freely);
    const spec = aContainerSpec({ serviceId: freshServiceId(), imageId });
    const { id } = await runtime.createContainer(spec, freely);
    expect((await runtime.inspect(id))?.owner).toEqual(spec.owner);
    expect((await runtime.listOwned(foreign)).containers).toEqual([]);
  });

  it('makes a pull fail that had begun well, and the copy that stands is not taken for the new one', async () => {
    const reference = `${registry.host}/lost:1`;
    const image = anImageReference(reference);
    await publishImage(reference);
    const standing = await runtime.pullImage({ image, policy: 'always' }, freely);
    // A layer of its own: one that the engine has already it would not ask for.
    await publishImage(reference, { files: { '/lost.txt': 'lost' } });
    await registry.loseLayers(reference);
    const progress: string[] = [];
    const pull = runtime.pullImage(
      { image, policy: 'always', onProgress: ({ status }) => progress.push(status) },
      freely,
    );
    await expect(pull).rejects.toMatchObject({ slug: 'image_pull_failed' });
    expect(progress.length).toBeGreaterThan(0);
    expect(await runtime.inspectImage(image)).toEqual(standing);
  });

  it('cannot hold a pull for ever by saying nothing', async () => {
    const callers: Socket[] = [];
    const silent = createServer((caller) => callers.push(caller)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const impatient = new DockerodeContainerRuntime({
      host: engineHost(),
      instance,
      pull: { idleMs: 5_000, totalMs: 500 },
    });
    const image = anImageReference(`127.0.0.1:${(silent.address() as AddressInfo).port}/silent:1`);
    await expect(impatient.pullImage({ image, policy: 'always' }, freely)).rejects.toMatchObject({ slug: 'timeout' });
    for (const caller of callers) caller.destroy();
    silent.close();
  });
});
