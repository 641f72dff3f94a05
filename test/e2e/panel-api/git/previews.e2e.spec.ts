import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { PreviewSweep, SpecStore, type ServiceView } from '#libs/services';
import { anAdminKey, anOrganisation } from '../../../support/builders/a-panel-user.js';
import { ShiftedClock } from '../../../support/fixed-clock.js';
import { deliver, type Hook, type Host } from '../../../support/git/hook-delivery.js';
import { pullRequestOf } from '../../../support/git/pull-requests.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const HOUR_MS = 3_600_000;
const CANARY = 'canary-of-production';

/** No worker runs: accepted deployments stay queued, and the tests run the sweep themselves. */
describe('previews of pull requests', () => {
  const clock = new ShiftedClock();
  let api: RunningPanelApi;
  let admin: HttpClient;
  let sql: pg.Client;
  let number = 0;

  beforeAll(async () => {
    const settings = { DOCKER_HOST: 'unix:///nowhere/docker.sock', LOG_LEVEL: 'debug', BASE_DOMAIN: 'apps.test' };
    api = await startPanelApi({ clock, settings });
    admin = api.as(await anAdminKey(api.app));
    sql = new pg.Client({ connectionString: api.database.url });
    await sql.connect();
  });
  afterAll(async () => {
    await sql?.end();
    await api?.close();
  });

  const aCommit = () => randomBytes(20).toString('hex');

  /** A running service with a hook. */
  async function aService(settings: object = { previewsEnabled: true }, given: object = {}) {
    number += 1;
    const name = `shop-${number}`;
    const request = { name, git_repo_url: 'https://git.example.com/acme/shop.git', ...given };
    const { serviceId: id } = (await admin.post('/api/v1/services/git', request)).body as { serviceId: string };
    const { body: hook } = await admin.post(`/api/v1/services/${id}/hook`);
    await deployed(id);
    const answer = await admin.patch(`/api/v1/services/${id}/git-settings`, settings);
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(settings)]);
    return { id, name, hook: hook as Hook };
  }

  /** Simulates that a worker has completed the queued deployment. */
  async function deployed(id: string): Promise<void> {
    const over = "status = 'succeeded', started_at = created_at, finished_at = created_at";
    await sql.query(`update services.deployments set ${over} where service_id = $1 and status = 'queued'`, [id]);
    await sql.query("update services.services set status = 'running', settled_status = 'running' where id = $1", [id]);
  }

  async function tell(
    hook: Hook,
    change: Parameters<typeof pullRequestOf>[1],
    given: Partial<Parameters<typeof pullRequestOf>[2]> = {},
    host: Host = 'github',
  ) {
    const { event, payload } = pullRequestOf(host, change, { number: 7, commit: aCommit(), ...given });
    const { status, body } = await deliver(api.url, host, hook, payload, event);
    expect(status).toBe(202);
    return body as { outcome: string; deploymentId: string | null };
  }

  const previewsOf = async (id: string) => {
    const { data } = (await admin.get('/api/v1/services?pageSize=100')).body as { data: ServiceView[] };
    return data.filter(({ preview }) => preview?.parentServiceId === id);
  };
  const deliveriesOf = async (id: string) =>
    (await admin.get(`/api/v1/services/${id}/hook-deliveries`)).body.data as any[];
  const newestOf = async (id: string) => (await admin.get(`/api/v1/services/${id}/deployments`)).body.data[0];
  const sweep = () => api.app.get(PreviewSweep).run();

  it('are off by default', async () => {
    const { id, hook } = await aService({});
    expect((await admin.get(`/api/v1/services/${id}/git-settings`)).body).toEqual({
      previewsEnabled: false,
      previewHours: 72,
      previewVariables: [],
      statusProvider: null,
      hasStatusToken: false,
      lastStatus: null,
    });
    expect((await tell(hook, 'opened')).outcome).toBe('ignored');
    expect(await previewsOf(id)).toEqual([]);
    expect((await deliveriesOf(id))[0]).toMatchObject({
      outcome: 'ignored',
      pullRequest: 7,
      message: 'Previews of pull requests are turned off.',
    });
  });

  it.each(['github', 'gitea', 'gitlab', 'bitbucket'] as const)(
    'are created, updated and removed by the events of %s',
    async (host) => {
      const { id, name, hook } = await aService();
      const commit = aCommit();
      expect(await tell({ ...hook, secret: 'wrong' }, 'opened', { commit }, host).catch(() => 'refused')).toBe(
        'refused',
      );
      const opened = await tell(hook, 'opened', { commit }, host);
      expect(opened).toEqual({ outcome: 'deployed', deploymentId: expect.any(String) });
      const [preview] = await previewsOf(id);
      expect(preview).toMatchObject({
        name: `${name}-pr-7`,
        deploymentType: 'git',
        status: 'pending',
        preview: { parentServiceId: id, pullRequest: 7 },
      });
      const { body: domains } = await admin.get(`/api/v1/services/${preview!.id}/domains`);
      expect(domains.data).toEqual([expect.objectContaining({ host: `pr-7-${name}.apps.test`, targetPort: 8080 })]);
      expect((await admin.get(`/api/v1/services/${preview!.id}/source`)).body.git).toMatchObject({
        git_repo_url: 'https://git.example.com/acme/shop.git',
        git_branch: 'feature',
      });
      expect((await tell(hook, 'opened', { commit }, host)).outcome).toBe('duplicate');
      // As long as the first deployment has not begun, it uses the newest commit.
      const early = aCommit();
      expect(await tell(hook, 'pushed', { commit: early }, host)).toEqual(opened);
      const { rows } = await sql.query(
        'select requested_ref as ref from services.git_deployments where service_id = $1',
        [preview!.id],
      );
      expect(rows).toEqual([{ ref: host === 'bitbucket' ? 'feature' : early }]);
      // Later, of two pushes that wait, the newer one stays.
      await deployed(preview!.id);
      expect((await tell(hook, 'pushed', {}, host)).outcome).toBe('deployed');
      const last = await tell(hook, 'pushed', {}, host);
      expect(await newestOf(preview!.id)).toMatchObject({ id: last.deploymentId, status: 'queued', trigger: 'push' });
      expect(await previewsOf(id)).toHaveLength(1);
      expect((await tell(hook, 'closed', {}, host)).outcome).toBe('removed');
      expect(await newestOf(preview!.id)).toMatchObject({ trigger: 'remove', status: 'queued' });
      expect((await tell(hook, 'closed', {}, host)).outcome).toBe('ignored');
      expect((await deliveriesOf(id)).map(({ outcome, pullRequest }) => [outcome, pullRequest])).toEqual([
        ...[['ignored', 7] as const, ['removed', 7] as const, ['deployed', 7] as const, ['deployed', 7] as const],
        ...[['deployed', 7] as const, ['duplicate', 7] as const, ['deployed', 7] as const],
      ]);
    },
  );

  it('are never created for forks, whose deliveries are listed as refused', async () => {
    const { id, hook } = await aService();
    for (const host of ['github', 'gitea', 'gitlab', 'bitbucket'] as const)
      expect((await tell(hook, 'opened', { isFork: true }, host)).outcome).toBe('refused');
    expect(await previewsOf(id)).toEqual([]);
    const [delivery] = await deliveriesOf(id);
    expect(delivery).toMatchObject({ outcome: 'refused', message: expect.stringMatching(/fork/), commitSha: null });
    const again = await admin.post(`/api/v1/services/${id}/hook-deliveries/${delivery.id}/redeliver`);
    expect([again.status, again.body.error.code]).toEqual([409, 'invalid_state']);
    expect((await tell(hook, 'opened', { branch: '--upload-pack=x' })).outcome).toBe('refused');
  });

  it('get only the variables that are marked for them', async () => {
    const variables = { LEVEL: 'debug', PASSWORD: CANARY };
    const { id, hook } = await aService({ previewsEnabled: true, previewVariables: ['LEVEL'] }, { variables });
    await tell(hook, 'opened');
    const [preview] = await previewsOf(id);
    const spec = await api.app.get(SpecStore).open(preview!.id, 1);
    expect([...spec.variables]).toEqual([['LEVEL', 'debug']]);
    expect(spec.composeYaml).not.toContain('PASSWORD');
  });

  it('do not prevent a push of the same commit to the branch', async () => {
    const { id, hook } = await aService();
    const commit = aCommit();
    await tell(hook, 'opened', { commit });
    const push = { ref: 'refs/heads/main', after: commit, commits: [] };
    expect((await deliver(api.url, 'github', hook, push)).body.outcome).toBe('deployed');
    expect(await newestOf(id)).toMatchObject({ trigger: 'push', status: 'queued' });
  });

  it('count against the quota of the organisation', async () => {
    const organisation = await anOrganisation(api.app);
    const { id, hook } = await aService({ previewsEnabled: true }, { customer_id: organisation.id });
    const quota = { services: 2, cpuCores: null, memoryMb: null, diskMb: null };
    const path = `/api/v1/organisations/${organisation.id}/quota`;
    expect((await admin.call('PUT', path, { body: quota })).status).toBe(200);
    expect((await tell(hook, 'opened', { number: 1 })).outcome).toBe('deployed');
    expect((await tell(hook, 'opened', { number: 2 })).outcome).toBe('refused');
    expect(await previewsOf(id)).toEqual([expect.objectContaining({ customerId: organisation.id })]);
    expect((await deliveriesOf(id))[0].message).toMatch(/quota/);
  });

  it('are created once per pull request, however many deliveries arrive at the same time', async () => {
    const { id, hook } = await aService();
    const commit = aCommit();
    const answers = await Promise.all(Array.from({ length: 6 }, () => tell(hook, 'opened', { commit })));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual([
      ...['deployed', 'duplicate', 'duplicate', 'duplicate', 'duplicate', 'duplicate'],
    ]);
    expect(await previewsOf(id)).toHaveLength(1);
  });

  it('are created again when the pull request is reopened, even while the old one is being removed', async () => {
    const { id, name, hook } = await aService();
    const commit = aCommit();
    await tell(hook, 'opened', { commit });
    await tell(hook, 'closed', { commit });
    expect((await tell(hook, 'opened', { commit })).outcome).toBe('duplicate');
    expect((await tell(hook, 'reopened', { commit })).outcome).toBe('deployed');
    const names = (await previewsOf(id)).map((preview) => preview.name).sort();
    expect(names).toEqual([`${name}-pr-7`, `${name}-pr-7-${commit.slice(0, 7)}`]);
    await tell(hook, 'closed', { commit });
    const [delivery] = (await deliveriesOf(id)).filter(({ outcome }) => outcome === 'deployed');
    expect((await admin.post(`/api/v1/services/${id}/hook-deliveries/${delivery.id}/redeliver`)).status).toBe(202);
  });

  describe('are removed by the sweep', () => {
    const removed = async (previewId: string) => (await newestOf(previewId))?.trigger === 'remove';

    async function aPreview() {
      const service = await aService();
      await tell(service.hook, 'opened');
      const [preview] = await previewsOf(service.id);
      await deployed(preview!.id);
      await sweep();
      expect(await removed(preview!.id)).toBe(false);
      return { ...service, previewId: preview!.id };
    }

    it('when they expire, which a push delays', async () => {
      const { hook, previewId } = await aPreview();
      clock.advance(71 * HOUR_MS);
      await tell(hook, 'pushed');
      clock.advance(71 * HOUR_MS);
      await sweep();
      expect(await removed(previewId)).toBe(false);
      clock.advance(2 * HOUR_MS);
      expect(await sweep()).toContainEqual({ serviceId: previewId, reason: 'The time of the preview is over.' });
      expect(await newestOf(previewId)).toMatchObject({ trigger: 'remove', errorMessage: expect.anything() });
      // The removal is not requested twice.
      expect(await sweep()).toEqual([]);
    });

    it('when the parent is removed, suspended, or turns previews off', async () => {
      const ends: ((id: string) => Promise<unknown>)[] = [
        (id) => admin.delete(`/api/v1/services/${id}`),
        (id) => admin.post(`/api/v1/services/${id}/suspend`),
        (id) => admin.patch(`/api/v1/services/${id}/git-settings`, { previewsEnabled: false }),
        (id) => sql.query('delete from services.services where id = $1', [id]),
      ];
      for (const end of ends) {
        const { id, previewId } = await aPreview();
        await end(id);
        await sweep();
        expect(await removed(previewId)).toBe(true);
      }
    });

    it('when the process died after closing them and before requesting the removal', async () => {
      const { previewId } = await aPreview();
      await sql.query('update services.previews set closed_at = now() where service_id = $1', [previewId]);
      await sweep();
      expect(await removed(previewId)).toBe(true);
    });

    it('again a minute after a removal has failed', async () => {
      const { hook, previewId } = await aPreview();
      await tell(hook, 'closed');
      const failed = "status = 'failed', started_at = created_at, finished_at = created_at";
      await sql.query(`update services.deployments set ${failed} where service_id = $1 and trigger = 'remove'`, [
        previewId,
      ]);
      await sql.query("update services.services set status = 'error', settled_status = 'error' where id = $1", [
        previewId,
      ]);
      expect(await sweep()).toEqual([]);
      clock.advance(61_000);
      expect(await sweep()).toEqual([expect.objectContaining({ serviceId: previewId })]);
      expect(await newestOf(previewId)).toMatchObject({ trigger: 'remove', status: 'queued' });
    });
  });

  it('refuse invalid settings, and exist only for services from repositories', async () => {
    const { id } = await aService();
    const { status, body } = await admin.patch(`/api/v1/services/${id}/git-settings`, {
      previewsEnabled: 'yes',
      previewHours: 0,
      previewVariables: ['a b'],
    });
    expect(status).toBe(422);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['/previewsEnabled', '/previewHours', '/previewVariables']),
    );
    const compose = { name: 'not from a repository', composeYaml: 'services:\n  web:\n    image: nginx:1.27\n' };
    const { serviceId } = (await admin.post('/api/v1/services', compose)).body;
    expect((await admin.get(`/api/v1/services/${serviceId}/git-settings`)).status).toBe(409);
    expect(api.logs()).not.toContain(CANARY);
  });
});
