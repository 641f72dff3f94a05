import { Directory } from '#libs/panel-auth';
import { DiskLimits, OrganisationQuotas, OrganisationScope } from '#libs/services';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';

const IMAGE = 'registry.example.com/acme/web:1';
const WEB = `
services:
  web:
    image: ${IMAGE}
    init: true
    volumes: [data:/data]
volumes: {data: {}}
`;

describe('the life of a service', () => {
  let runtime: FakeContainerRuntime;
  let pipeline: Pipeline;

  beforeAll(async () => {
    runtime = new FakeContainerRuntime();
    runtime.state.publish(IMAGE, {});
    pipeline = await startPipeline(runtime);
  });

  afterAll(() => pipeline.close());

  it('begins as pending, is deployed and runs', async () => {
    const { serviceId, deploymentId, status } = await pipeline.accept(WEB);
    expect(status).toBe('pending');
    expect(await pipeline.service(serviceId)).toMatchObject({ status: 'pending', containerIds: [], startedAt: null });
    await pipeline.runner.run(deploymentId);
    const service = await pipeline.service(serviceId);
    expect(service).toMatchObject({ status: 'running', networkId: expect.any(String) });
    const owned = await runtime.listOwned(serviceId);
    expect(owned.networks).toMatchObject([{ id: service!.networkId, name: `${serviceId}_default` }]);
    expect(owned.containers).toHaveLength(1);
    expect(owned.containers[0]).toMatchObject({
      id: service!.containerIds[0],
      name: `${serviceId}_web`,
      lifecycle: 'running',
    });
    expect(owned.volumes.map(({ name }) => name)).toEqual([`${serviceId}_data`]);
    const deployment = await pipeline.last(serviceId);
    expect(deployment).toMatchObject({ id: deploymentId, trigger: 'create', status: 'succeeded', errorMessage: null });
    expect(deployment!.steps.map(({ name, status: outcome }) => `${name} ${outcome}`)).toEqual(
      [
        'validate',
        'quota',
        'pull',
        'label_check',
        'commit',
        'create',
        'start',
        'health_gate',
        'route',
        'retire',
        'finish',
      ].map((name) => `${name} succeeded`),
    );
  });

  it('stops, starts and restarts the same containers, also by a restart when it is stopped', async () => {
    const id = await pipeline.create(WEB);
    const [container] = (await runtime.listOwned(id)).containers;
    expect(await pipeline.do(id, 'stop')).toMatchObject({ status: 'succeeded' });
    expect(await pipeline.service(id)).toMatchObject({ status: 'stopped', startedAt: null, uptimeSeconds: null });
    expect((await runtime.listOwned(id)).containers).toMatchObject([{ id: container!.id, lifecycle: 'exited' }]);
    expect(await pipeline.do(id, 'restart')).toMatchObject({ status: 'succeeded' });
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    await pipeline.do(id, 'stop');
    expect(await pipeline.do(id, 'start')).toMatchObject({ status: 'succeeded' });
    expect(await pipeline.ask(id, 'unsuspend')).toMatchObject({ deploymentId: null, status: 'running', isDone: false });
    expect(await pipeline.do(id, 'restart')).toMatchObject({ status: 'succeeded' });
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    expect((await runtime.listOwned(id)).containers).toMatchObject([{ id: container!.id, lifecycle: 'running' }]);
  });

  it('is redeployed into new containers, and nothing of the old ones stays', async () => {
    const id = await pipeline.create(WEB);
    const [old] = (await runtime.listOwned(id)).containers;
    expect(await pipeline.do(id, 'redeploy')).toMatchObject({ status: 'succeeded', reverted: false });
    const { containers, volumes } = await runtime.listOwned(id);
    expect(containers).toHaveLength(1);
    expect(containers[0]!.id).not.toBe(old!.id);
    expect(containers[0]).toMatchObject({ name: `${id}_web`, lifecycle: 'running' });
    expect(volumes).toHaveLength(1);
    expect(await pipeline.service(id)).toMatchObject({ containerIds: [containers[0]!.id] });
  });

  it('keeps the stop that a suspension took the place of', async () => {
    const id = await pipeline.create(WEB);
    const stop = await pipeline.ask(id, 'stop');
    const suspend = await pipeline.ask(id, 'suspend');
    await pipeline.runner.run(suspend.deploymentId!);
    expect(await pipeline.service(id)).toMatchObject({ status: 'suspended' });
    const superseded = (await pipeline.deployments(id)).find((deployment) => deployment.id === stop.deploymentId);
    expect(superseded).toMatchObject({ status: 'superseded' });
    expect(await pipeline.ask(id, 'unsuspend')).toMatchObject({ status: 'stopped' });
    expect(await pipeline.service(id)).toMatchObject({ status: 'stopped' });
  });

  it('suspended, neither starts nor is redeployed until it is unsuspended', async () => {
    const id = await pipeline.create(WEB);
    expect(await pipeline.ask(id, 'suspend')).toMatchObject({ status: 'stopping' });
    for (const action of ['start', 'stop', 'restart', 'redeploy'] as const) {
      await expect(pipeline.ask(id, action)).rejects.toMatchObject({ slug: 'service_suspended' });
    }
    await pipeline.workOff();
    expect(await pipeline.service(id)).toMatchObject({ status: 'suspended' });
    expect((await runtime.listOwned(id)).containers).toMatchObject([{ lifecycle: 'exited' }]);
    expect(await pipeline.ask(id, 'suspend')).toMatchObject({ deploymentId: null, status: 'suspended' });
    await pipeline.do(id, 'unsuspend');
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    expect((await runtime.listOwned(id)).containers).toMatchObject([{ lifecycle: 'running' }]);
  });

  it('that was stopped before its suspension is stopped after it', async () => {
    const id = await pipeline.create(WEB);
    await pipeline.do(id, 'stop');
    await pipeline.do(id, 'suspend');
    expect(await pipeline.ask(id, 'unsuspend')).toMatchObject({ deploymentId: null, status: 'stopped' });
    expect(await pipeline.service(id)).toMatchObject({ status: 'stopped' });
    expect((await runtime.listOwned(id)).containers).toMatchObject([{ lifecycle: 'exited' }]);
  });

  it('deleted, leaves no container, network, volume or row', async () => {
    const id = await pipeline.create(WEB);
    expect(await pipeline.ask(id, 'remove')).toMatchObject({ status: 'removing' });
    expect(await pipeline.ask(id, 'remove')).toMatchObject({ status: 'removing' });
    await pipeline.workOff();
    expect(await pipeline.service(id)).toBeNull();
    expect(await runtime.listOwned(id)).toEqual({ containers: [], networks: [], volumes: [] });
  });

  it('is deleted while its deployment still waits', async () => {
    const { serviceId, deploymentId } = await pipeline.accept(WEB);
    await pipeline.ask(serviceId, 'remove');
    await pipeline.runner.run(deploymentId);
    expect(await pipeline.service(serviceId)).toBeNull();
    expect(await runtime.listOwned(serviceId)).toEqual({ containers: [], networks: [], volumes: [] });
  });

  it('goes back to the images of an earlier deployment', async () => {
    const id = await pipeline.create(WEB);
    const [first] = await pipeline.deployments(id);
    runtime.state.publish(IMAGE, { labels: { version: '2' } });
    await pipeline.do(id, 'redeploy');
    const [second] = await pipeline.deployments(id);
    expect(second!.topology!.members[0]!.digest).not.toBe(first!.topology!.members[0]!.digest);
    expect(await pipeline.rollback(id, first!.id)).toMatchObject({ trigger: 'rollback', status: 'succeeded' });
    expect((await runtime.listOwned(id)).containers).toMatchObject([
      { imageId: first!.topology!.members[0]!.imageId, lifecycle: 'running' },
    ]);
  });

  it('above its disk it is told of, and far above it is stopped with the reason on record; its data stay', async () => {
    const id = await pipeline.create(WEB);
    const disks = pipeline.app.get(DiskLimits);
    const mine = async () => (await disks.check()).filter(({ serviceId }) => serviceId === id);
    const MB = 1024 * 1024;
    expect(await mine()).toEqual([]);
    runtime.state.volumeBytes.set(`${id}_data`, 5_300 * MB);
    const above = 'The service uses 5300 MB of 5120 MB of disk';
    expect(await mine()).toEqual([{ serviceId: id, text: above, stopped: false }]);
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    runtime.state.volumeBytes.set(`${id}_data`, 6_000 * MB);
    expect(await mine()).toMatchObject([{ stopped: true }]);
    await pipeline.workOff();
    expect(await pipeline.service(id)).toMatchObject({ status: 'stopped' });
    expect(await pipeline.last(id)).toMatchObject({
      trigger: 'stop',
      status: 'succeeded',
      actor: { userId: null, apiKeyId: null },
      errorMessage: 'disk_full: The service uses 6000 MB of 5120 MB of disk and was stopped.',
    });
    expect((await runtime.listOwned(id)).volumes).toHaveLength(1);
    expect(await mine()).toEqual([]);
    expect(await pipeline.do(id, 'start')).toMatchObject({ status: 'succeeded' });
  });

  it('above the quota of its organisation runs on and starts again, and is not deployed again', async () => {
    const { id: customerId } = await pipeline.app.get(Directory).createOrganisation('Northwind', null);
    const id = await pipeline.create(WEB, { customerId });
    const [first] = await pipeline.deployments(id);
    const nobody = { userId: null, apiKeyId: null };
    const quotas = pipeline.app.get(OrganisationQuotas);
    await quotas.change(customerId, { memoryMb: 2047, cpuCores: 4 }, nobody);
    const containers = (await runtime.listOwned(id)).containers;
    for (const deployment of [await pipeline.do(id, 'redeploy'), await pipeline.rollback(id, first!.id)]) {
      expect(deployment).toMatchObject({
        status: 'failed',
        committedAt: null,
        reverted: false,
        errorMessage: 'quota_exceeded: The quota of the organisation does not allow this: memoryMb 2048 of 2047.',
      });
      expect(deployment!.steps.map(({ name, status }) => `${name} ${status}`)).toEqual([
        'validate succeeded',
        'quota failed',
      ]);
    }
    expect((await runtime.listOwned(id)).containers).toEqual(containers);
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    expect(await pipeline.do(id, 'stop')).toMatchObject({ status: 'succeeded' });
    expect(await pipeline.do(id, 'start')).toMatchObject({ status: 'succeeded' });
    await quotas.change(customerId, { memoryMb: null }, nobody);
    expect(await pipeline.do(id, 'redeploy')).toMatchObject({ status: 'succeeded' });
  });

  it('keeps the ports that an admin gave it when its customer redeploys it', async () => {
    const { id: customerId } = await pipeline.app.get(Directory).createOrganisation('Birch', null);
    const id = await pipeline.create(WEB.replace('init: true', 'ports: ["18080:80"]'), { customerId });
    const scope = OrganisationScope.of([customerId]);
    const { deploymentId } = await pipeline.control.act(scope, id, 'redeploy', { userId: null, apiKeyId: null });
    await pipeline.runner.run(deploymentId!);
    expect(await pipeline.last(id)).toMatchObject({ trigger: 'redeploy', status: 'succeeded' });
    expect(await pipeline.service(id)).toMatchObject({ portMappings: [{ hostPort: 18_080, containerPort: 80 }] });
  });
});
