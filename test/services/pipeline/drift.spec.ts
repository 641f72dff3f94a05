import type { Uuid } from '#kernel/crypto/uuid';
import type { Ending } from '#libs/services';
import type { OwnedContainer } from '../../../libs/services/src/application/ports/engine/container-state.js';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';

const IMAGE = 'registry.example.com/acme/web:1';
const GROUP = `
services:
  db: {image: '${IMAGE}', init: true, volumes: ['data:/data']}
  web: {image: '${IMAGE}', init: true, depends_on: [db]}
volumes: {data: {}}
`;
const freely = { guard: () => Promise.resolve() };

describe('what somebody changed by hand', () => {
  let runtime: FakeContainerRuntime;
  let pipeline: Pipeline;
  let id: Uuid;

  beforeAll(async () => {
    runtime = new FakeContainerRuntime();
    runtime.state.publish(IMAGE, {});
    pipeline = await startPipeline(runtime, { times: { lease: 5_000, gate: 20 } });
  });

  beforeEach(async () => {
    id = await pipeline.create(GROUP);
    expect(await pipeline.reconcile.survey(id)).toEqual([]);
  });

  afterAll(() => pipeline.close());

  const containers = async () => (await runtime.listOwned(id)).containers;
  const find = async (role: string) => (await containers()).find(({ owner }) => owner.role === role)!;
  const ends = (container: OwnedContainer, more: Partial<Ending> = {}) =>
    pipeline.reconcile.noteEnding(id, {
      deploymentId: container.owner.deploymentId,
      containerId: container.id,
      exitCode: 1,
      at: new Date(),
      ...more,
    });
  const repaired = async (...findings: string[]) => {
    expect(await pipeline.reconcile.survey(id)).toMatchObject([{ serviceId: id, findings, action: 'scheduled' }]);
    await pipeline.workOff();
    expect(await pipeline.reconcile.survey(id)).toEqual([]);
    expect(await pipeline.last(id)).toMatchObject({ trigger: 'reconcile', status: 'succeeded' });
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    expect((await containers()).map(({ name, lifecycle }) => [name, lifecycle]).sort()).toEqual([
      [`${id}_db`, 'running'],
      [`${id}_web`, 'running'],
    ]);
  };

  it('a container that ended is started again, and stays the same one', async () => {
    const web = await find('web');
    runtime.containers.end(web.id, 137);
    await repaired('container web does not run');
    expect((await find('web')).id).toBe(web.id);
  });

  it('a container that a worker made a second time, long frozen, goes, and the one that serves is left alone', async () => {
    const { containers: known } = runtime.state;
    for (const running of [true, false]) {
      const web = await find('web');
      const { spec } = known.get(web.id)!;
      const late = await runtime.createContainer({ ...spec, name: `${id}_web_late` }, freely);
      // The engine lists the newest first.
      const listed = [[late.id, known.get(late.id)!] as const, ...[...known].filter(([other]) => other !== late.id)];
      known.clear();
      for (const [containerId, container] of listed) known.set(containerId, container);
      if (!running) runtime.containers.end(web.id, 137);
      await repaired('a container web is left over', ...(running ? [] : ['container web does not run']));
      expect((await find('web')).id).toBe(web.id);
      expect((await pipeline.service(id))!.containerIds).toContain(web.id);
    }
  });

  it('a container that was removed is made again, from the same image', async () => {
    const { id: gone, imageId } = await find('db');
    runtime.state.publish(IMAGE, { labels: { version: '2' } });
    await runtime.removeContainer(gone, freely);
    await repaired('container db is gone');
    expect((await find('db')).imageId).toBe(imageId);
    runtime.state.publish(IMAGE, {});
  });

  it('a network that was removed is made again', async () => {
    await runtime.removeNetwork(`${id}_default`, freely);
    await repaired(`${id}_default is gone`);
  });

  it('a container that was renamed gets its name back', async () => {
    await runtime.rename((await find('web')).id, 'mine', freely);
    await repaired('container web has another name');
  });

  it('a container of a stopped service that was started is stopped', async () => {
    await pipeline.do(id, 'stop');
    await runtime.start((await find('db')).id, freely);
    expect(await pipeline.reconcile.survey(id)).toMatchObject([
      { findings: ['container db runs'], action: 'scheduled' },
    ]);
    await pipeline.workOff();
    expect(await pipeline.service(id)).toMatchObject({ status: 'stopped' });
    expect((await containers()).map(({ lifecycle }) => lifecycle)).toEqual(['exited', 'exited']);
  });

  it('a group that keeps ending is an error after the fifth time in ten minutes, and is left alone', async () => {
    const web = await find('web');
    for (let time = 0; time < 5; time += 1) {
      await ends(web);
    }
    expect(await pipeline.service(id)).toMatchObject({ status: 'error', startedAt: null, uptimeSeconds: null });
    runtime.containers.end(web.id, 1);
    expect(await pipeline.reconcile.survey(id)).toMatchObject([{ action: 'left alone' }]);
    expect(await pipeline.do(id, 'restart')).toMatchObject({ status: 'succeeded' });
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
  });

  it('endings of another deployment, or from before its start, do not count', async () => {
    for (let time = 0; time < 6; time += 1) {
      const web = await find('web');
      await ends(web, { deploymentId: '00000000-0000-4000-8000-000000000000' });
      await ends(web, { at: new Date(0) });
    }
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
  });

  describe('one that was not to be restarted', () => {
    const JOB = (restart: string) =>
      `services:\n  web: {image: '${IMAGE}', init: true}\n  job: {image: '${IMAGE}', init: true${restart}}\n`;

    it.each(['', ", restart: 'no'", ', restart: on-failure'])(
      'has done its work when it ends with 0, however late (%j)',
      async (restart) => {
        id = await pipeline.create(JOB(restart));
        const job = await find('job');
        for (let time = 0; time < 6; time += 1) {
          runtime.containers.end(job.id, 0);
          await ends(job, { exitCode: 0 });
          expect(await pipeline.reconcile.survey(id)).toEqual([]);
        }
        expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
        runtime.containers.end((await find('web')).id, 137);
        expect(await pipeline.reconcile.survey(id)).toMatchObject([{ findings: ['container web does not run'] }]);
        await pipeline.workOff();
        expect((await find('job')).lifecycle).toBe('exited');
        await pipeline.do(id, 'restart');
        expect((await find('job')).lifecycle).toBe('running');
      },
    );

    it('makes the service an error when it has used up its retries', async () => {
      id = await pipeline.create(JOB(", restart: 'on-failure:3'"));
      const job = await find('job');
      runtime.state.containers.get(job.id)!.restartCount = 3;
      runtime.containers.end(job.id, 4);
      expect(await pipeline.reconcile.survey(id)).toMatchObject([{ action: 'marked as error' }]);
      expect(await pipeline.service(id)).toMatchObject({ status: 'error', startedAt: null, uptimeSeconds: null });
      expect(await pipeline.reconcile.survey(id)).toMatchObject([{ action: 'left alone' }]);
    });

    it('is started again when it was to be restarted always', async () => {
      id = await pipeline.create(JOB(', restart: always'));
      runtime.containers.end((await find('job')).id, 0);
      expect(await pipeline.reconcile.survey(id)).toMatchObject([{ findings: ['container job does not run'] }]);
    });
  });

  it('what carries our labels and belongs to no service is told of and never touched', async () => {
    const stranger = 'aaaaaaaa-0000-4000-8000-000000000000';
    await runtime.ensureVolume(stranger, { key: 'v', name: `${stranger}_v`, labels: new Map() }, freely);
    expect(await pipeline.reconcile.survey()).toContainEqual({
      serviceId: stranger,
      name: '',
      findings: [`volume ${stranger}_v belongs to no known service`],
      action: 'left alone',
    });
    expect((await runtime.listOwned(stranger)).volumes).toHaveLength(1);
    await runtime.removeVolume(`${stranger}_v`, freely);
  });
});
