import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import { FeedReader, FeedTail, OrganisationScope, type FeedEntry } from '#libs/services';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';

const IMAGE = 'registry.example.com/acme/web:1';
const WEB = `services:\n  web: {image: '${IMAGE}', init: true, environment: {PASSWORD: hunter2}}\n`;
const HOUR_MS = 3_600_000;

describe('the feed of the services', () => {
  let runtime: FakeContainerRuntime;
  let pipeline: Pipeline;
  let reader: FeedReader;

  beforeAll(async () => {
    runtime = new FakeContainerRuntime();
    runtime.state.publish(IMAGE, {});
    // No lease ends here, however slow the machine is.
    pipeline = await startPipeline(runtime, { times: { lease: 30_000, ready: 30_000 } });
    reader = pipeline.app.get(FeedReader);
  });
  afterAll(() => pipeline.close());

  const eventsOf = async (serviceId: Uuid) =>
    (await reader.after(0, 10_000)).filter((one) => one.serviceId === serviceId);
  const words = (events: readonly FeedEntry[], type: string) =>
    events.filter((event) => event.type === type).map(({ data }) => [data.name, data.status].filter(Boolean).join(' '));
  const all = { scope: OrganisationScope.all, serviceId: null, deploymentId: null, types: ['service.status'] as const };

  it('tells the life of a service: each status and each step once, in order', async () => {
    const { serviceId, deploymentId } = await pipeline.accept(WEB);
    await pipeline.runner.run(deploymentId);
    const events = await eventsOf(serviceId);
    expect(words(events, 'service.status')).toEqual(['pending', 'deploying', 'running']);
    expect(words(events, 'deployment.status')).toEqual(['queued', 'running', 'succeeded']);
    const { steps } = (await pipeline.last(serviceId))!;
    expect(words(events, 'deployment.step')).toEqual(
      steps.flatMap(({ name }) => [`${name} running`, `${name} succeeded`]),
    );
    expect(
      events
        .filter(({ type }) => ['deployment.status', 'deployment.step'].includes(type))
        .map((event) => event.deploymentId),
    ).toEqual(Array<string>(steps.length * 2 + 3).fill(deploymentId));
    expect(JSON.stringify(events)).not.toContain('hunter2');

    await pipeline.do(serviceId, 'remove');
    const removal = (await eventsOf(serviceId)).slice(events.length);
    expect(words(removal, 'service.status')).toEqual(['removing']);
    expect(removal.at(-1)).toMatchObject({ type: 'service.removed', customerId: null, data: { serviceId } });
  });

  it('tells how a deployment failed', async () => {
    const { serviceId, deploymentId } = await pipeline.accept(WEB.replace('/web:1', '/none:1'));
    await pipeline.runner.run(deploymentId);
    const failed = (await eventsOf(serviceId)).filter(({ data }) => data.status === 'failed');
    expect(failed.map(({ type }) => type)).toEqual(['deployment.step', 'deployment.status']);
    expect(failed[1]!.data).toMatchObject({ errorMessage: expect.stringMatching(/^image_pull_failed: /) });
  });

  it('says nothing of the infrastructure of the panel', async () => {
    const { serviceId } = await pipeline.accept(WEB);
    const before = (await eventsOf(serviceId)).length;
    await pipeline.app.get(DataSource).query(`update services.services set hidden = true where id = '${serviceId}'`);
    await pipeline.ask(serviceId, 'remove');
    expect((await eventsOf(serviceId)).length).toBe(before);
  });

  describe('read while others write', () => {
    let [one, two]: pg.Client[] = [];

    beforeEach(async () => {
      [one, two] = [0, 1].map(() => new pg.Client({ connectionString: pipeline.database.url })) as [
        pg.Client,
        pg.Client,
      ];
      await Promise.all([one.connect(), two.connect()]);
    });
    afterEach(() => Promise.all([one!.end(), two!.end()]));

    const append = async (client: pg.Client, customerId: string | null = null) => {
      const { rows } = await client.query<{ seq: string }>(
        `insert into services.feed (type, service_id, customer_id, data, at)
         values ('service.status', $1, $2, '{}', now()) returning seq::text`,
        [randomUUID(), customerId],
      );
      return Number(rows[0]!.seq);
    };
    const tailed = async () => {
      const tail = new FeedTail(reader);
      await tail.begin();
      await tail.read();
      return async () => (await tail.read()).map(({ seq }) => seq);
    };

    it.each(['commit', 'rollback'])('keeps to the order of the numbers: the first one ends with %s', async (end) => {
      const read = await tailed();
      await one!.query('begin');
      const first = await append(one!);
      const second = await append(two!);
      expect(await read()).toEqual([]);
      await one!.query(end);
      expect(await read()).toEqual(end === 'commit' ? [first, second] : [second]);
      expect(await read()).toEqual([]);
    });

    it('is not held up by a transaction that writes something else', async () => {
      const read = await tailed();
      await one!.query("begin; update services.services set description = 'x'");
      await two!.query('begin');
      await append(two!);
      await two!.query('rollback');
      const told = await append(two!);
      expect(await read()).toEqual([told]);
      await one!.query('rollback');
    });

    it('gives what was missed, of the scope alone, and says when it cannot', async () => {
      const organisation = randomUUID() as Uuid;
      const since = await append(one!);
      const told = [await append(one!, organisation), await append(one!)];
      const upTo = told[1]!;
      const seqs = async (scope: OrganisationScope, limit = 10) =>
        (await reader.missed({ ...all, scope }, since, upTo, limit))?.map(({ seq }) => seq) ?? null;
      expect(await seqs(OrganisationScope.all)).toEqual(told);
      expect(await seqs(OrganisationScope.of([organisation]))).toEqual([told[0]]);
      expect(await seqs(OrganisationScope.of([]))).toEqual([]);
      expect(await seqs(OrganisationScope.all, 1)).toBeNull();
      expect(await reader.missed(all, upTo + 1, upTo, 10)).toBeNull();
      await one!.query("update services.feed set stored_at = now() - interval '2 hours' where seq < $1", [upTo]);
      expect(await reader.forget(HOUR_MS)).toBeGreaterThan(2);
      expect(await reader.forget(HOUR_MS)).toBe(0);
      expect(await seqs(OrganisationScope.all)).toBeNull();
      expect(await reader.missed(all, told[0]!, upTo, 10)).toHaveLength(1);
      await one!.query("update services.feed set stored_at = now() - interval '2 hours'");
      expect([await reader.forget(HOUR_MS), await reader.newest()]).toEqual([0, upTo]);
    });
  });
});
