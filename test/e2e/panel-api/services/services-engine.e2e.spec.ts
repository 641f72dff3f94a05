import type { INestApplicationContext } from '@nestjs/common';
import { DiskLimits } from '#libs/services';
import { aCustomer, aKey } from '../../../support/builders/a-panel-user.js';
import { databaseDump, spellings } from '../../../support/database-dump.js';
import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { forgetImages, publishImage } from '../../../support/docker/images.js';
import { startRegistry } from '../../../support/docker/registry.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../../support/services/panel-with-worker.js';

describeWithEngine('a service on a Docker engine, over HTTP', () => {
  let panel: PanelWithWorker;
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  let image: string;
  let worker: INestApplicationContext;

  beforeAll(async () => {
    registry = await startRegistry();
    image = `${registry.host}/acme/web:1`;
    await publishImage(image, {});
    panel = await startPanelWithWorker({ registries: [registry.host] });
    worker = await panel.startWorker();
  }, 60_000);

  afterAll(async () => {
    await panel?.close();
    await forgetImages(registry.host);
    await registry.stop();
  });

  const compose = (lines = '') =>
    `services:\n  web:\n    image: ${image}\n    init: true\n    environment: {PASSWORD: canary-7d1f}\n${lines}`;
  const create = async (name: string, composeYaml: string) => {
    const answer = await panel.admin.post('/api/v1/services', { name, composeYaml });
    expect([answer.status, answer.body.status]).toEqual([202, 'pending']);
    return answer.body.serviceId as string;
  };
  const containersOf = (id: string) =>
    engineJson<{ Id: string; State: string; Names: string[]; Labels: Record<string, string> }[]>(
      'GET',
      `/containers/json?all=1&filters=${encodeURIComponent(JSON.stringify({ label: [`panel.service=${id}`] }))}`,
    );
  const act = async (id: string, action: string) => {
    const answer = await panel.admin.post(`/api/v1/services/${id}/${action}`);
    expect([action, answer.status]).toEqual([action, 202]);
    return answer.body;
  };

  it('runs, stops, starts, is redeployed, suspended, and deleted without a trace', async () => {
    const id = await create('whole life', compose('    volumes: [data:/data]\nvolumes: {data: {}}\n'));
    const { body } = await panel.until(id, 'running', 'error');
    expect(body).toMatchObject({ status: 'running', deploymentType: 'compose', uptimeSeconds: expect.any(Number) });
    const first = await panel.untilOver(id);
    expect(first).toMatchObject({ status: 'succeeded', trigger: 'create', errorMessage: null });
    expect(first.imageDigests.web).toMatch(/^sha256:/);
    expect((await containersOf(id)).map(({ Id, State }) => [Id, State])).toEqual([[body.containerIds[0], 'running']]);

    expect(await act(id, 'stop')).toMatchObject({ status: 'stopping' });
    await panel.until(id, 'stopped');
    expect(await containersOf(id)).toMatchObject([{ State: 'exited' }]);
    expect(await act(id, 'start')).toMatchObject({ status: 'starting' });
    await panel.until(id, 'running');
    expect(await act(id, 'start')).toMatchObject({ status: 'running', deploymentId: null });
    // A reconciliation may be running, which a redeployment does not interrupt.
    await panel.untilOver(id);

    expect(await act(id, 'redeploy')).toMatchObject({ status: 'deploying' });
    expect(await panel.untilOver(id)).toMatchObject({ trigger: 'redeploy', status: 'succeeded' });
    const [redeployed, ...others] = await containersOf(id);
    expect(others).toEqual([]);
    expect(redeployed).toMatchObject({ State: 'running', Names: [`/${id}_web`] });
    expect(redeployed!.Id).not.toBe(body.containerIds[0]);

    expect(await act(id, 'restart')).toMatchObject({ status: 'restarting' });
    await panel.until(id, 'running');
    expect(await act(id, 'suspend')).toMatchObject({ status: 'stopping' });
    await panel.until(id, 'suspended');
    expect((await panel.admin.post(`/api/v1/services/${id}/start`)).body.error.code).toBe('service_suspended');
    expect(await act(id, 'unsuspend')).toMatchObject({ status: 'starting' });
    await panel.until(id, 'running');

    const removal = await panel.admin.delete(`/api/v1/services/${id}`);
    expect([removal.status, removal.body]).toEqual([202, { status: 'removing', message: expect.any(String) }]);
    await panel.until(id, 'gone');
    expect(await containersOf(id)).toEqual([]);
    const filters = encodeURIComponent(JSON.stringify({ label: [`panel.service=${id}`] }));
    expect(await engineJson('GET', `/networks?filters=${filters}`)).toEqual([]);
    expect(await engineJson('GET', `/volumes?filters=${filters}`)).toMatchObject({ Volumes: [] });
  }, 90_000);

  it('can be deployed by a customer within its quota, and frees its place when it is removed', async () => {
    const { user, organisation } = await aCustomer(panel.api.app);
    const customer = panel.api.as(await aKey(panel.api.app, user));
    const quota = { services: 1, cpuCores: null, memoryMb: null, diskMb: null };
    const allow = (services: number) =>
      panel.admin.call('PUT', `/api/v1/organisations/${organisation.id}/quota`, { body: { ...quota, services } });
    const deploy = () => customer.post('/api/v1/portal/services', { name: 'portal', composeYaml: compose() });
    await allow(1);
    const { serviceId: id } = (await deploy()).body;
    await panel.until(id, 'running');
    await panel.untilOver(id);
    const own = `/api/v1/portal/services/${id}`;
    expect((await customer.get(own)).body).toMatchObject({ id, status: 'running', customerId: organisation.id });
    const [before] = await containersOf(id);
    await allow(0);
    expect((await customer.post(`${own}/redeploy`)).status).toBe(202);
    expect((await panel.untilOver(id)).errorMessage).toBe(
      'quota_exceeded: The quota of the organisation does not allow this: services 1 of 0.',
    );
    expect(await containersOf(id)).toMatchObject([{ Id: before!.Id, State: 'running' }]);
    await act(id, 'suspend');
    await panel.until(id, 'suspended');
    expect((await customer.get(own)).body.status).toBe('suspended');
    expect((await customer.post(`${own}/start`)).body.error.code).toBe('service_suspended');
    await allow(1);
    expect((await customer.delete(own)).status).toBe(202);
    await panel.until(id, 'gone');
    expect((await customer.get(own)).status).toBe(404);
    expect((await customer.get('/api/v1/portal/usage')).body).toMatchObject({ limits: quota, used: { services: 0 } });
    expect((await deploy()).status).toBe(202);
  }, 60_000);

  it('keeps running the same container when the image of a redeploy cannot be pulled', async () => {
    const name = `${registry.host}/acme/moving:1`;
    await publishImage(name, {});
    const id = await create('unpullable', compose().replace(image, name));
    await panel.until(id, 'running');
    await panel.untilOver(id);
    const [before] = await containersOf(id);
    await registry.loseLayers(name);
    await publishImage(name, { labels: { 'traefik.enable': 'true' } });
    await act(id, 'redeploy');
    const failed = await panel.untilOver(id);
    expect(failed).toMatchObject({ status: 'failed', reverted: false });
    expect(failed.errorMessage).toMatch(/^image_label_rejected: .*traefik\.enable/);
    expect(await containersOf(id)).toMatchObject([{ Id: before!.Id, State: 'running' }]);
    expect((await panel.until(id, 'running')).body.containerIds).toEqual([before!.Id]);
    expect(await act(id, 'restart')).toMatchObject({ status: 'restarting' });
    await panel.untilOver(id);
  }, 60_000);

  it('fails with the code of the error and shows no environment values', async () => {
    const id = await create('missing image', compose().replace(image, `${registry.host}/acme/none:1`));
    await panel.until(id, 'error');
    expect((await panel.untilOver(id)).errorMessage).toMatch(/^image_pull_failed: /);
    expect(await containersOf(id)).toEqual([]);
    const all = await Promise.all(
      ['', '?search=missing', `/${id}`, `/${id}/deployments`].map((path) => panel.admin.get(`/api/v1/services${path}`)),
    );
    expect(all.map(({ text }) => text).join('')).not.toContain('canary-7d1f');
    expect(panel.api.logs()).not.toContain('canary-7d1f');
    const labels = JSON.stringify(await engineJson('GET', '/containers/json?all=1'));
    expect(labels).not.toContain('canary-7d1f');
  }, 60_000);

  it('gets the secrets of its organisation inside the container and nowhere else', async () => {
    const since = Math.floor(Date.now() / 1000);
    const { user, organisation } = await aCustomer(panel.api.app);
    const owner = panel.api.as(await aKey(panel.api.app, user, {}, organisation.id));
    const [first, second] = ['canary-first-91c3', 'canary-second-52ab'];
    await owner.post('/api/v1/secrets', { name: 'DB_PASSWORD', value: first });
    const composeYaml = `services:
  web:
    image: ${image}
    init: true
    environment: {URL: 'postgres://app:\${secret:DB_PASSWORD}@db/app'}
    configs: [page]
configs: {page: {content: 'token=\${secret:DB_PASSWORD}'}}
`;
    const request = { name: 'with secrets', composeYaml, customerId: organisation.id };
    const id = (await panel.admin.post('/api/v1/services', request)).body.serviceId as string;
    await panel.until(id, 'running');
    await panel.untilOver(id);
    const [container] = await containersOf(id);
    expect(await insideOf(container!.Id)).toEqual([`URL=postgres://app:${first}@db/app`, `token=${first}`]);

    await owner.post('/api/v1/secrets', { name: 'DB_PASSWORD', value: second });
    await act(id, 'redeploy');
    expect(await panel.untilOver(id)).toMatchObject({ trigger: 'redeploy', status: 'succeeded' });
    const [renewed] = await containersOf(id);
    expect(await insideOf(renewed!.Id)).toEqual([`URL=postgres://app:${second}@db/app`, `token=${second}`]);

    await owner.delete('/api/v1/secrets/DB_PASSWORD');
    await act(id, 'redeploy');
    const failed = await panel.untilOver(id);
    expect(failed).toMatchObject({ status: 'failed', reverted: false });
    expect(failed.errorMessage).toBe('validation_failed: The secret DB_PASSWORD does not exist.');
    expect(failed.steps.map(({ name }: { name: string }) => name)).toEqual(['validate']);
    expect(await containersOf(id)).toMatchObject([{ Id: renewed!.Id, State: 'running' }]);
    expect((await panel.until(id, 'running')).body.containerIds).toEqual([renewed!.Id]);

    const answers = await Promise.all(
      ['?search=secrets', `/${id}`, `/${id}/deployments`].map((path) => panel.admin.get(`/api/v1/services${path}`)),
    );
    const plan = await panel.admin.post('/api/v1/services/validate', { composeYaml });
    const until = Math.floor(Date.now() / 1000) + 1;
    const seen = [
      ...[...answers, plan].map(({ text }) => text),
      panel.logs(),
      JSON.stringify(await engineJson('GET', '/containers/json?all=1')),
      JSON.stringify(
        (await engineJson<{ Config: { Labels: object } }>('GET', `/containers/${renewed!.Id}/json`)).Config.Labels,
      ),
      (await engineRequest('GET', `/events?since=${since}&until=${until}`)).text,
      await databaseDump(panel.api.database.url),
    ].join('\n');
    expect(seen).toContain(id);
    for (const spelling of [first, second].flatMap(spellings)) expect(seen).not.toContain(spelling);
  }, 60_000);

  it('is stopped with a reason if it exceeds its disk limit by far', async () => {
    const fill = 'busybox dd if=/dev/zero of=/data/big bs=1M count=3; exec sleep 3600';
    const lines = `    command: [sh, -c, '${fill}']\n    volumes: [data:/data]\nvolumes: {data: {}}\n`;
    const request = { name: 'hungry', composeYaml: compose(lines), resourceLimits: { diskMb: 1 } };
    const id = (await panel.admin.post('/api/v1/services', request)).body.serviceId as string;
    await panel.untilOver(id);
    const found = await worker.get(DiskLimits).check();
    expect(found).toEqual([expect.objectContaining({ serviceId: id, stopped: true })]);
    await panel.until(id, 'stopped');
    const stop = await panel.untilOver(id);
    expect(stop).toMatchObject({ trigger: 'stop', actor: { userId: null, apiKeyId: null } });
    expect(stop.errorMessage).toMatch(/^disk_full: The service uses \d MB of 1 MB of disk and was stopped\.$/);
  }, 60_000);

  /** The variable and the file that the application in the container sees. */
  async function insideOf(containerId: string): Promise<readonly (string | undefined)[]> {
    const { Config } = await engineJson<{ Config: { Env: string[] } }>('GET', `/containers/${containerId}/json`);
    const file = await engineRequest('GET', `/containers/${containerId}/archive?path=/page`);
    return [Config.Env.find((variable) => variable.startsWith('URL=')), /token=[\w-]+/.exec(file.text)?.[0]];
  }
});
