import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { EngineProxy } from '../../../support/docker/engine-proxy.js';
import { eventually } from '../../../support/docker/eventually.js';
import { forgetImages, publishImage } from '../../../support/docker/images.js';
import { startRegistry } from '../../../support/docker/registry.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../../support/services/panel-with-worker.js';

describeWithEngine('services on an engine that comes and goes', () => {
  let panel: PanelWithWorker;
  let engine: EngineProxy;
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  let image: string;

  beforeAll(async () => {
    registry = await startRegistry();
    image = `${registry.host}/acme/web:1`;
    await publishImage(image, {});
    engine = await EngineProxy.create();
    panel = await startPanelWithWorker({
      dockerHost: engine.host,
      registries: [registry.host],
      instance: `recovery-${process.pid}`,
    });
  }, 60_000);

  afterAll(async () => {
    await panel?.close();
    await engine.remove();
    await forgetImages(registry.host);
    await registry.stop();
  });

  const create = async (name: string) => {
    const composeYaml = `services:\n  web:\n    image: ${image}\n    init: true\n`;
    const answer = await panel.admin.post('/api/v1/services', { name, composeYaml });
    expect(answer.status).toBe(202);
    return answer.body.serviceId as string;
  };
  const container = async (id: string) => (await panel.admin.get(`/api/v1/services/${id}`)).body.containerIds[0];
  const isUp = async (containerId: string) =>
    (await engineJson<{ State: { Running: boolean } }>('GET', `/containers/${containerId}/json`)).State.Running;
  const remove = async (id: string) => {
    await panel.admin.delete(`/api/v1/services/${id}`);
    await panel.until(id, 'gone');
  };

  it('accepted while the engine is down fail, and run without intervention once it is up', async () => {
    const id = await create('early');
    expect((await panel.admin.get(`/api/v1/services/${id}`)).body.status).toBe('pending');
    await panel.startWorker();
    await panel.until(id, 'error');
    expect((await panel.untilOver(id)).errorMessage).toMatch(/^docker_unavailable: /);
    await engine.open();
    await panel.until(id, 'running');
    await remove(id);
  }, 60_000);

  it('restart a killed container, which stays the same one', async () => {
    const id = await create('killed');
    await panel.until(id, 'running');
    await panel.untilOver(id);
    const containerId = await container(id);
    await engineRequest('POST', `/containers/${containerId}/kill`);
    await eventually(
      () => panel.untilOver(id),
      ({ trigger, status }) => trigger === 'reconcile' && status === 'succeeded',
      20_000,
    );
    expect(await isUp(containerId)).toBe(true);
    expect(await container(id)).toBe(containerId);
    await remove(id);
  }, 60_000);

  it('get a new container for one that was removed by hand', async () => {
    const id = await create('removed');
    await panel.until(id, 'running');
    await panel.untilOver(id);
    const containerId = await container(id);
    await engineRequest('DELETE', `/containers/${containerId}?force=1`);
    await eventually(
      () => container(id),
      (now) => now !== undefined && now !== containerId,
      20_000,
    );
    await panel.untilOver(id);
    expect(await isUp(await container(id))).toBe(true);
    await remove(id);
  }, 60_000);

  it('are removed once the engine is up if they are deleted while it is down', async () => {
    const id = await create('patient');
    await panel.until(id, 'running');
    await panel.untilOver(id);
    const containerId = await container(id);
    await engine.close();
    await panel.admin.delete(`/api/v1/services/${id}`);
    await panel.until(id, 'removing');
    expect(await isUp(containerId)).toBe(true);
    await engine.open();
    await panel.until(id, 'gone');
    expect((await engineRequest('GET', `/containers/${containerId}/json`)).status).toBe(404);
  }, 60_000);
});
