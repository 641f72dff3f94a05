import { OrganisationScope, ServiceChanges, ServiceQueries, type ServiceChange } from '#libs/services';
import type { Uuid } from '#kernel/crypto/uuid';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';

const OLD = 'registry.example.com/app:1';
const NEW = 'registry.example.com/app:2';
const BROKEN = 'registry.example.com/app:broken';
const NOBODY = { userId: null, apiKeyId: null };
const web = (image: string, more = '') => `services:\n  web:\n    image: ${image}\n    init: true\n${more}`;

describe('a service that is changed', () => {
  let runtime: FakeContainerRuntime;
  let pipeline: Pipeline;
  let changes: ServiceChanges;

  beforeAll(async () => {
    runtime = new FakeContainerRuntime();
    runtime.state.publish(OLD, { labels: { version: '1' } });
    runtime.state.publish(NEW, { labels: { version: '2' } });
    runtime.state.publish(BROKEN, { command: ['sh', '-c', 'exit 3'] });
    pipeline = await startPipeline(runtime, { times: { gate: 20 } });
    changes = pipeline.app.get(ServiceChanges);
  });
  afterAll(() => pipeline.close());

  const ask = (id: Uuid, change: ServiceChange, expectedVersion: number | null = null) =>
    changes.change(OrganisationScope.all, id, change, { portsAllowed: true, expectedVersion }, NOBODY);

  async function change(id: Uuid, wanted: ServiceChange) {
    const accepted = await ask(id, wanted);
    await pipeline.runner.run(accepted!.deploymentId!);
    return pipeline.last(id);
  }

  const versions = async (id: Uuid) =>
    (await pipeline.app.get(ServiceQueries).versions(OrganisationScope.all, id, { offset: 0, limit: 10 }))!;

  async function imagesOf(id: Uuid): Promise<string[]> {
    const { containers } = await runtime.listOwned(id);
    return containers.map(({ imageId }) => runtime.state.nameOf(imageId));
  }

  it('runs its new version once that has proven itself, and lists both', async () => {
    const id = await pipeline.create(web(OLD));
    const update = await change(id, { composeYaml: web(NEW), resourceLimits: { memoryMb: 1024 } });
    expect(update).toMatchObject({ status: 'succeeded', trigger: 'update', specVersion: 2 });
    expect(await imagesOf(id)).toEqual([NEW]);
    expect(await pipeline.service(id)).toMatchObject({ resourceLimits: { cpuCores: 4, memoryMb: 1024 } });
    const [second, first] = await versions(id);
    expect(second).toMatchObject({ number: 2, current: true, deploymentId: update!.id, actor: NOBODY });
    expect(first).toMatchObject({ number: 1, current: false });
    expect(await pipeline.rollback(id, first!.deploymentId!)).toMatchObject({ status: 'succeeded', specVersion: 1 });
    expect(await imagesOf(id)).toEqual([OLD]);
    expect(await pipeline.service(id)).toMatchObject({ resourceLimits: { memoryMb: 2048 } });
    expect((await versions(id)).map(({ number, current }) => [number, current])).toEqual([
      [2, false],
      [1, true],
    ]);
  });

  it('goes back to the version before, with its limits, when the new one fails', async () => {
    const id = await pipeline.create(web(OLD));
    const update = await change(id, { composeYaml: web(BROKEN), resourceLimits: { memoryMb: 64 } });
    expect(update).toMatchObject({ status: 'failed', reverted: true });
    expect(await imagesOf(id)).toEqual([OLD]);
    expect(await pipeline.service(id)).toMatchObject({ status: 'running', resourceLimits: { memoryMb: 2048 } });
    expect(await pipeline.do(id, 'redeploy')).toMatchObject({ status: 'succeeded', specVersion: 1 });
    expect(await change(id, { composeYaml: web(NEW) })).toMatchObject({ status: 'succeeded', specVersion: 3 });
  });

  it('that never ran is redeployed as it was changed last', async () => {
    const id = await pipeline.create(web(BROKEN));
    expect(await pipeline.service(id)).toMatchObject({ status: 'error' });
    expect(await change(id, { composeYaml: web(NEW) })).toMatchObject({ status: 'succeeded' });
    expect(await imagesOf(id)).toEqual([NEW]);
  });

  it('keeps what is not named: variables, file and limits', async () => {
    const file = web('registry.example.com/app:${TAG}', '    environment: {MODE: "${MODE}"}\n');
    const id = await pipeline.create(file, { variables: { TAG: '1', MODE: 'a' } });
    await change(id, { variables: new Map([['TAG', '2']]) });
    expect(await imagesOf(id)).toEqual([NEW]);
    expect(await ask(id, { variables: new Map([['TAG', '2']]), composeYaml: file })).toBeNull();
    await expect(ask(id, { variables: new Map([['MODE', null]]) })).rejects.toMatchObject({
      kind: 'invalid',
      violations: [
        {
          path: '/services/web/environment/MODE',
          code: 'variable_missing',
          message: 'The variable MODE was not given.',
        },
      ],
    });
  });

  it('keeps a volume that no container uses any more, and counts it, until it is deleted', async () => {
    const volumes = "    volumes: ['data:/data']\nvolumes: {data: {}}\n";
    const id = await pipeline.create(web(OLD, volumes));
    expect(await change(id, { composeYaml: web(NEW) })).toMatchObject({ status: 'succeeded' });
    expect((await runtime.listOwned(id)).volumes).toMatchObject([{ name: `${id}_data` }]);
    expect((await runtime.diskUsage()).get(id)?.volumes).toMatchObject([{ name: `${id}_data` }]);
    expect(await pipeline.reconcile.survey(id)).toEqual([]);
    await pipeline.do(id, 'remove');
    expect((await runtime.listOwned(id)).volumes).toEqual([]);
  });

  it('twice at once takes the last change, unless its author names a version that is not the newest', async () => {
    const id = await pipeline.create(web(OLD));
    const first = await ask(id, { resourceLimits: { memoryMb: 512 } }, 1);
    await expect(ask(id, { resourceLimits: { memoryMb: 256 } }, 1)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'The newest version of the service is 2; this change is based on version 1.',
    });
    const second = await ask(id, { composeYaml: web(NEW) });
    await pipeline.workOff();
    const deployments = await pipeline.deployments(id);
    const statusOf = (of: typeof first) => deployments.find((one) => one.id === of?.deploymentId)?.status;
    expect([statusOf(first), statusOf(second)]).toEqual(['superseded', 'succeeded']);
    // The last change was made on top of the one before.
    expect(await pipeline.service(id)).toMatchObject({ resourceLimits: { memoryMb: 512 } });
    expect(await imagesOf(id)).toEqual([NEW]);
  });

  it('by ten at once ends as one of them wants it, each with a version of its own', async () => {
    const id = await pipeline.create(web(OLD));
    const memory = Array.from({ length: 10 }, (_, index) => 100 + index);
    const asked = await Promise.allSettled(memory.map((memoryMb) => ask(id, { resourceLimits: { memoryMb } })));
    expect(asked.some(({ status }) => status === 'fulfilled')).toBe(true);
    await pipeline.workOff();
    const numbers = (await versions(id)).map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(memory).toContain((await pipeline.service(id))!.resourceLimits.memoryMb);
    expect(await pipeline.last(id)).toMatchObject({ status: 'succeeded' });
  });

  it('changes its name and description without a deployment, and not to a name that is taken', async () => {
    const id = await pipeline.create(web(OLD));
    const other = (await pipeline.service(await pipeline.create(web(OLD))))!;
    const before = (await pipeline.deployments(id)).length;
    expect(await ask(id, { name: 'renamed', description: 'Anew' })).toBeNull();
    expect(await pipeline.service(id)).toMatchObject({ name: 'renamed', description: 'Anew' });
    await expect(ask(id, { name: other.name })).rejects.toMatchObject({ slug: 'service_name_taken' });
    expect(await pipeline.deployments(id)).toHaveLength(before);
  });

  it('gives up the host ports that only its old version published', async () => {
    const id = await pipeline.create(web(OLD, "    ports: ['18090:80']\n"));
    await change(id, { composeYaml: web(NEW, "    ports: ['18091:80']\n") });
    expect(await pipeline.service(id)).toMatchObject({ portMappings: [{ hostPort: 18_091 }] });
    await pipeline.create(web(OLD, "    ports: ['18090:80']\n"));
    await expect(pipeline.create(web(OLD, "    ports: ['18091:80']\n"))).rejects.toMatchObject({ slug: 'conflict' });
    await change(id, { composeYaml: web(BROKEN, "    ports: ['18092:80']\n") });
    await pipeline.create(web(OLD, "    ports: ['18092:80']\n"));
  });
});
