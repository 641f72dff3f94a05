import { engineJson, engineRequest } from '../../support/docker/engine-http.js';
import { describeWithEngine, engineState } from '../../support/docker/engine.js';
import { forgetImages, localImages, makeImage, publishImage, pushImage } from '../../support/docker/images.js';
import { REGISTRY_LOGIN, startRegistry, type TestRegistry } from '../../support/docker/registry.js';

describe('the search for an engine', () => {
  it('says why it found none', () => {
    expect(engineState('unix:///nowhere/docker.sock')).toEqual({
      available: false,
      reason: expect.stringMatching(/^no Docker engine answers at unix:\/\/\/nowhere\/docker\.sock \(.*ENOENT/),
    });
  });
});

describeWithEngine('the local registry', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await startRegistry();
  });

  afterAll(async () => {
    await forgetImages(registry.host);
    await registry.stop();
  });

  it('takes a pushed image and gives it back under its digest', async () => {
    const reference = `${registry.host}/tiny:1`;
    const digest = await publishImage(reference, { labels: { 'example.answer': '42' } });
    expect(await localImages(registry.host)).toEqual([]);
    await engineRequest('POST', `/images/create?fromImage=${registry.host}/tiny@${digest}`);
    const image = await engineJson<{ Config: object }>('GET', `/images/${registry.host}/tiny@${digest}/json`);
    expect(image.Config).toHaveProperty('Labels', { 'example.answer': '42' });
  });

  it('lets a tag move to another digest', async () => {
    const reference = `${registry.host}/moving:1`;
    const first = await publishImage(reference, { labels: { build: '1' } });
    const second = await publishImage(reference, { labels: { build: '2' } });
    expect(second).not.toBe(first);
  });

  it('refuses whoever has no credentials when it is told to', async () => {
    const guarded = await startRegistry({ refuseAnonymous: true });
    try {
      const reference = `${guarded.host}/tiny:1`;
      await makeImage(reference);
      await pushImage(reference, REGISTRY_LOGIN);
      const answer = await engineRequest('POST', `/images/create?fromImage=${reference}`);
      expect(answer.text).toMatch(/no basic auth credentials/);
    } finally {
      await forgetImages(guarded.host);
      await guarded.stop();
    }
  });
});
