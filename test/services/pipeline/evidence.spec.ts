import { DeploymentLog, LogPages, OrganisationScope, ServiceQueries, type DeploymentLogLine } from '#libs/services';
import type { Uuid } from '#kernel/crypto/uuid';
import { FakeContainerLogs } from '../../support/docker/fakes/fake-container-logs.js';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';

const IMAGE = 'registry.example.com/app:1';

/** Every container says who it is, before anybody could ask. */
class TalkingLogs extends FakeContainerLogs {
  text = 'Error: cannot reach the database\nTypeError at line 4';

  override recent(containerId: string): ReturnType<FakeContainerLogs['recent']> {
    const lines = this.text.split('\n');
    return Promise.resolve(lines.map((text) => ({ containerId, stream: 'stderr' as const, atMicros: 1e15, text })));
  }
}

describe('what a failed deployment leaves behind', () => {
  let runtime: FakeContainerRuntime;
  let pipeline: Pipeline;
  const logs = new TalkingLogs();

  beforeAll(async () => {
    runtime = new FakeContainerRuntime();
    runtime.state.publish(IMAGE, {});
    pipeline = await startPipeline(runtime, { times: { gate: 20, ready: 400 }, logs });
  });
  afterAll(() => pipeline.close());

  const read = async (deploymentId: Uuid, slice = { since: 0, tail: 10_000 }): Promise<readonly DeploymentLogLine[]> =>
    (await pipeline.app.get(DeploymentLog).read(OrganisationScope.all, deploymentId, slice))!;

  const service = (more: string) => `services:\n  web:\n    image: ${IMAGE}\n    init: true\n${more}`;

  it.each([
    ['ends at once', "    command: ['sh', '-c', 'exit 3']\n", /^health_gate_failed: web ended with exit code 3\.$/],
    [
      'is unhealthy',
      "    healthcheck: {test: 'echo refused; false'}\n",
      /^health_gate_failed: web is unhealthy: refused$/,
    ],
    ['has no program', "    command: ['/no/such']\n", /^container_start_failed: /],
  ])('of a container that %s explains it by itself', async (_, more, errorMessage) => {
    const id = await pipeline.create(service(more));
    const deployment = (await pipeline.last(id))!;
    expect(deployment.errorMessage).toMatch(errorMessage);
    const lines = await read(deployment.id);
    const said = (source: string) => lines.filter((line) => line.source === source).map(({ text }) => text);
    expect(said('container')).toEqual(['Error: cannot reach the database', 'TypeError at line 4']);
    expect(lines.filter(({ source }) => source === 'container').every(({ container }) => container === 'web')).toBe(
      true,
    );
    expect(said('panel').some((text) => text.startsWith('web: '))).toBe(true);
    if (more.includes('healthcheck')) expect(said('probe')).toEqual(['exit code 1', 'refused']);
    expect(lines.map(({ n }) => n)).toEqual(lines.map((_line, index) => index + 1));
    const code = deployment.errorMessage!.split(':')[0];
    expect(await pipeline.service(id)).toMatchObject({
      status: 'error',
      statusReason: { code, deploymentId: deployment.id, at: expect.any(Date) },
    });
  });

  it('is kept before anything is removed, also when the old containers come back', async () => {
    const id = await pipeline.create(service(''));
    expect(await pipeline.service(id)).toMatchObject({ status: 'running', statusReason: null });
    runtime.state.publish(IMAGE, { command: ['sh', '-c', 'exit 7'] });
    const failed = (await pipeline.do(id, 'redeploy'))!;
    runtime.state.publish(IMAGE, {});
    expect(failed).toMatchObject({ status: 'failed', reverted: true });
    expect((await read(failed.id)).filter(({ source }) => source === 'container')).toHaveLength(2);
    expect(await pipeline.service(id)).toMatchObject({ status: 'running', statusReason: null });
  });

  it('holds no secret of the service, in the log, the message and the step', async () => {
    const secret = 'canary-Zx81-secret';
    logs.text = `connecting with ${secret}`;
    const more = `    environment: {DB_PASSWORD: ${secret}}\n    healthcheck: {test: 'echo canaryZx81secret; false'}\n`;
    const id = await pipeline.create(service(more.replaceAll('canary-Zx81-secret', 'canaryZx81secret')));
    logs.text = 'connecting with canaryZx81secret';
    const again = (await pipeline.do(id, 'redeploy'))!;
    const text = JSON.stringify([await read(again.id), again]);
    expect(text).toContain('[redacted]');
    expect(text).not.toContain('canaryZx81secret');
    expect(again.errorMessage).toBe('health_gate_failed: web is unhealthy: [redacted]');
  });

  it('is cut in the middle when there is too much', async () => {
    logs.text = Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(4_000)}`).join('\n');
    const id = await pipeline.create(service("    command: ['sh', '-c', 'exit 3']\n"));
    logs.text = 'short';
    const { id: deploymentId } = (await pipeline.last(id))!;
    const lines = await read(deploymentId);
    const bytes = lines.reduce((sum, { text }) => sum + text.length, 0);
    expect(bytes).toBeGreaterThan(200_000);
    expect(bytes).toBeLessThanOrEqual(264 * 1024);
    expect(lines[0]!.n).toBe(1);
    expect(lines.at(-1)!.n).toBeGreaterThan(lines.length);
    const tail = await read(deploymentId, { since: 5, tail: 3 });
    expect(tail.map(({ n }) => n)).toEqual(lines.slice(-3).map(({ n }) => n));
  });

  it('says why the panel stopped a service by itself', async () => {
    const id = await pipeline.create(service(''));
    const stop = await pipeline.control.act(
      OrganisationScope.all,
      id,
      'stop',
      { userId: null, apiKeyId: null },
      'disk_full: The service uses 12 MB of 10 MB of disk and was stopped.',
    );
    await pipeline.runner.run(stop.deploymentId!);
    expect(await pipeline.service(id)).toMatchObject({
      status: 'stopped',
      statusReason: { code: 'disk_full', message: 'The service uses 12 MB of 10 MB of disk and was stopped.' },
    });
    await pipeline.do(id, 'start');
    expect(await pipeline.service(id)).toMatchObject({ status: 'running', statusReason: null });
  });

  it('stays of a container that a deployment replaced, with the deployment that it belonged to', async () => {
    logs.text = 'one\ntwo';
    const id = await pipeline.create(service(''));
    const first = (await pipeline.last(id))!;
    expect(first.status).toBe('succeeded');
    await pipeline.do(id, 'redeploy');
    const second = (await pipeline.last(id))!;
    expect([second.id === first.id, second.status]).toEqual([false, 'succeeded']);
    const kept = (await read(first.id)).filter(({ source }) => source === 'container');
    expect(kept.map(({ text }) => text)).toEqual(logs.text.split('\n'));
    expect((await read(second.id)).filter(({ source }) => source === 'container')).toEqual([]);

    const queries = pipeline.app.get(ServiceQueries);
    const pages = new LogPages(logs, runtime, queries, pipeline.app.get(DeploymentLog));
    const question = { container: null, deploymentId: first.id, tail: 1, from: null };
    const page = await pages.read(OrganisationScope.all, id, question);
    expect([page.lines.map(({ text }) => text), page.hasMore]).toEqual([['two'], true]);
    expect(page.containers).toEqual([{ id: '', name: 'web', state: 'replaced' }]);
    const now = await pages.read(OrganisationScope.all, id, { ...question, deploymentId: second.id });
    expect(now.containers).toEqual([expect.objectContaining({ name: 'web', state: 'running' })]);
    const other = await pipeline.create(service(''));
    await expect(pages.read(OrganisationScope.all, other, question)).rejects.toThrow();
  });
});

describe('an image that was made on the engine', () => {
  it('is redeployed although no registry knows it, and the log says so', async () => {
    const runtime = new FakeContainerRuntime();
    const pipeline = await startPipeline(runtime, { times: { gate: 20 } });
    runtime.state.publish('docker.io/library/local:1', {});
    const id = await pipeline.create('services:\n  web:\n    image: local:1\n    init: true\n');
    const image = runtime.state.images.get('docker.io/library/local:1')!;
    runtime.state.images.set('docker.io/library/local:1', { ...image, digest: null });
    runtime.state.published.clear();
    const redeployed = (await pipeline.do(id, 'redeploy'))!;
    expect(redeployed).toMatchObject({ status: 'succeeded' });
    const lines = (await pipeline.app
      .get(DeploymentLog)
      .read(OrganisationScope.all, redeployed.id, { since: 0, tail: 100 }))!;
    expect(lines.map(({ text }) => text).join('\n')).toMatch(/local:1: no registry could be asked .* own image/);
    expect((await pipeline.service(id))!.networkId).toMatch(/^[0-9a-f]{64}$/);
    await pipeline.close();
  });
});
