import { randomBytes } from 'node:crypto';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '#libs/services';
import { KeyRing } from '#platform/key-ring';
import { DeployQueue } from '../../../libs/services/src/application/ports/deploy-queue.js';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';

const IMAGE = 'registry.example.com/acme/web:1';
const WEB = `services: {web: {image: '${IMAGE}', init: true}}`;

describe('several at once', () => {
  let runtime: FakeContainerRuntime;
  let pipeline: Pipeline;
  let second: Pipeline;

  beforeAll(async () => {
    runtime = new FakeContainerRuntime();
    runtime.state.publish(IMAGE, {});
    const shared = {
      // So long that no worker of the test renews what the test ends.
      times: { lease: 60_000, gate: 20 },
      keyRing: KeyRing.parse(`k1:${randomBytes(32).toString('base64')}`),
    };
    pipeline = await startPipeline(runtime, shared);
    second = await startPipeline(runtime, { ...shared, database: pipeline.database });
  });

  afterAll(async () => {
    await second?.app.close();
    await pipeline?.close();
  });

  const attemptsOf = async (id: Uuid) => (await pipeline.deployments(id)).map(({ attempts }) => attempts);
  const namesOf = async (id: Uuid) => (await runtime.listOwned(id)).containers.map(({ name }) => name);

  it('carry a job out once, however often and by however many workers it is delivered', async () => {
    const { serviceId, deploymentId } = await pipeline.accept(WEB);
    const workers = [pipeline, second, pipeline, second];
    await Promise.all(workers.map(({ runner }) => runner.run(deploymentId)));
    await pipeline.runner.run(deploymentId);
    expect(await attemptsOf(serviceId)).toEqual([1]);
    expect(await namesOf(serviceId)).toEqual([`${serviceId}_web`]);
  });

  it('do not disturb each other when a frozen worker wakes up after another one took over', async () => {
    const id = await pipeline.create(WEB);
    const { deploymentId } = await pipeline.ask(id, 'redeploy');
    const frozen = new Promise<void>((resolve) => {
      runtime.beforeGuard = async (call) => {
        if (call !== 'createContainer') return;
        runtime.beforeGuard = null;
        resolve();
        await expire(pipeline, id);
        await second.runner.run(deploymentId!);
      };
    });
    const late = pipeline.runner.run(deploymentId!);
    await frozen;
    await late;
    expect(await pipeline.last(id)).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect(await namesOf(id)).toEqual([`${id}_web`]);
    expect(await pipeline.reconcile.survey(id)).toEqual([]);
  });

  it('accept while the queue says nothing at all', async () => {
    const silent = jest.spyOn(pipeline.app.get(DeployQueue), 'send').mockReturnValue(new Promise(() => undefined));
    const { serviceId, deploymentId } = await pipeline.accept(WEB);
    silent.mockRestore();
    await pipeline.runner.run(deploymentId);
    expect(await pipeline.ask(serviceId, 'restart')).toMatchObject({ status: 'restarting' });
  });

  it('ask for one redeployment and get the same one', async () => {
    const id = await pipeline.create(WEB);
    const asked = await Promise.all([1, 2, 3, 4].map(() => pipeline.ask(id, 'redeploy')));
    expect(new Set(asked.map(({ deploymentId }) => deploymentId)).size).toBe(1);
    await expect(pipeline.ask(id, 'restart')).rejects.toMatchObject({ slug: 'deployment_in_progress' });
    await pipeline.workOff();
    expect((await pipeline.deployments(id)).map(({ trigger }) => trigger)).toEqual(['redeploy', 'create']);
  });

  it('ask for opposite things and one of them is refused, or waits its turn', async () => {
    const id = await pipeline.create(WEB);
    const outcomes = await Promise.allSettled((['stop', 'restart'] as const).map((action) => pipeline.ask(id, action)));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { slug: 'deployment_in_progress' } }]);
    await pipeline.workOff();
    expect((await pipeline.service(id))!.status).toMatch(/^(stopped|running)$/);
  });

  it('take one host port, and all but one are refused', async () => {
    const file = `services: {web: {image: '${IMAGE}', ports: ["19090:80"]}}`;
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => pipeline.accept(file)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('a suspension takes the place of what waits, and a removal of everything', async () => {
    const id = await pipeline.create(WEB);
    const waiting = await pipeline.ask(id, 'redeploy');
    const suspension = await pipeline.ask(id, 'suspend');
    expect((await pipeline.deployments(id)).find((one) => one.id === waiting.deploymentId)).toMatchObject({
      status: 'superseded',
      errorMessage: 'cancelled: The service is being suspended.',
    });
    const removal = await pipeline.ask(id, 'remove');
    expect(removal).toMatchObject({ status: 'removing' });
    expect(removal.deploymentId).not.toBe(suspension.deploymentId);
    await pipeline.workOff();
    expect(await pipeline.service(id)).toBeNull();
  });

  it('a suspension is seen at once, also while what runs is gone through with', async () => {
    const id = await pipeline.create(WEB);
    const { deploymentId } = await pipeline.ask(id, 'redeploy');
    let asked: unknown = null;
    const seen = new Set<string>();
    runtime.beforeGuard = async (call) => {
      if (call === 'start') asked ??= await pipeline.ask(id, 'suspend');
      if (asked) seen.add((await pipeline.service(id))!.status);
    };
    await pipeline.runner.run(deploymentId!);
    runtime.beforeGuard = null;
    expect(asked).toMatchObject({ status: 'stopping' });
    expect([...seen]).toEqual(['stopping']);
    expect((await pipeline.deployments(id)).slice(0, 2)).toMatchObject([
      { trigger: 'suspend', status: 'succeeded' },
      { trigger: 'redeploy', status: 'succeeded' },
    ]);
    expect(await pipeline.service(id)).toMatchObject({ status: 'suspended', startedAt: null });
  });

  it('never show a service to somebody outside of its organisation', async () => {
    const id = await pipeline.create(WEB);
    const elsewhere = OrganisationScope.of(['00000000-0000-4000-8000-00000000000a' as Uuid]);
    const nobody = { userId: null, apiKeyId: null };
    expect(await pipeline.queries.get(elsewhere, id)).toBeNull();
    expect(await pipeline.queries.deployments(elsewhere, id, { offset: 0, limit: 10 })).toBeNull();
    const [deployment] = await pipeline.deployments(id);
    await expect(pipeline.control.act(elsewhere, id, 'stop', nobody)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(pipeline.control.cancel(elsewhere, deployment!.id)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(pipeline.control.rollback(elsewhere, id, deployment!.id, nobody)).rejects.toMatchObject({
      kind: 'not-found',
    });
    const { services } = await pipeline.queries.list(
      elsewhere,
      { status: null, search: null },
      { offset: 0, limit: 10 },
    );
    expect(services).toEqual([]);
  });

  it('a deployment that the queue never got is found and sent again', async () => {
    const { serviceId } = await pipeline.accept(WEB);
    expect(await pipeline.reconcile.resend()).toBeGreaterThan(0);
    await pipeline.workOff();
    expect(await pipeline.service(serviceId)).toMatchObject({ status: 'running' });
    expect(await pipeline.reconcile.resend()).toBe(0);
  });

  it('hand over at once what they have in their hands when they are told to end', async () => {
    const id = await pipeline.create(WEB);
    const { deploymentId } = await pipeline.ask(id, 'redeploy');
    const hangs = runtime.faults.hang('start');
    const run = second.runner.run(deploymentId!);
    await hangs;
    second.runner.onModuleDestroy();
    await run;
    expect(await pipeline.last(id)).toMatchObject({ status: 'running', attempts: 1 });
    await second.runner.run(deploymentId!);
    expect(await attemptsOf(id)).toEqual([1, 1]);
    expect(await pipeline.reconcile.abandoned()).toEqual([deploymentId]);
    await pipeline.runner.run(deploymentId!);
    expect(await pipeline.last(id)).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect(await namesOf(id)).toEqual([`${id}_web`]);
  });
});

/** As if the worker had been silent for longer than its lease. */
async function expire({ app }: Pipeline, serviceId: Uuid): Promise<void> {
  const { DataSource } = await import('typeorm');
  await app
    .get(DataSource)
    .query("update services.services set lease_expires_at = now() - interval '1 second' where id = $1", [serviceId]);
}
