import { aCustomer } from '../../../support/builders/a-panel-user.js';
import { describeWithDatabases } from '../../../support/databases/database-images.js';
import { engineRequest } from '../../../support/docker/engine-http.js';
import { BED_START_MS, TemplateBed } from '../../../support/services/template-bed.js';

const CANARY = 'canary-re-19ccf05a';

describeWithDatabases('Redis from a template', () => {
  let bed: TemplateBed;
  let id: string;
  let password = CANARY;

  const redis = (args: readonly string[], secret = password) =>
    bed.run(id, ['redis-cli', '-h', '127.0.0.1', ...args], { REDISCLI_AUTH: secret });

  beforeAll(async () => {
    bed = await TemplateBed.start();
    await bed.publish('redis', 'library/redis:7.4-bookworm');
    id = await bed.deploy('redis', {
      name: 'Cache',
      variables: { DB_PASSWORD: CANARY },
      resourceLimits: { memoryMb: 128 },
    });
    await bed.untilDone(id);
  }, BED_START_MS);

  afterAll(() => bed.close());

  it('runs with every setting of its template and reveals its password nowhere', async () => {
    const names = ['appendonly', 'appendfsync', 'save', 'maxmemory', 'maxmemory-policy'];
    expect((await redis(['CONFIG', 'GET', ...names])).split('\n')).toEqual(
      expect.arrayContaining(['yes', 'everysec', '60 1', String(51 * 2 ** 20), 'allkeys-lru']),
    );
    const { Id } = await bed.container(id);
    const shown = JSON.stringify(await bed.inspect(Id));
    const logs = (await engineRequest('GET', `/containers/${Id}/logs?stdout=1&stderr=1`)).text;
    expect(shown + logs + bed.panel.logs()).not.toContain(CANARY);
    expect(await bed.run(id, ['redis-cli', '-h', '127.0.0.1', 'PING'])).toMatch(/NOAUTH/);
  });

  it('is reachable by its name from services of its organisation only', async () => {
    const image = await bed.publishPlain('acme/client:1');
    const client = async (name: string, customerId: string | null) => {
      const composeYaml = `services: {web: {image: ${image}, init: true, networks: [shared]}}
networks: {shared: {x-panel: organisation}}
`;
      const { body } = await bed.panel.admin.post('/api/v1/services', { name, composeYaml, customerId });
      await bed.untilDone(body.serviceId as string);
      const command = ['sh', '-c', 'echo PING | nc -w 3 cache 6379'];
      return bed.attempt(body.serviceId as string, command);
    };
    expect((await client('neighbour', null)).stdout).toMatch(/NOAUTH/);
    const { organisation } = await aCustomer(bed.panel.api.app);
    const stranger = await client('stranger', organisation.id);
    expect([stranger.stdout, stranger.exitCode]).toEqual(['', expect.any(Number)]);
  }, 120_000);

  it('keeps acknowledged writes after a kill and a redeployment', async () => {
    expect(await redis(['SET', 'kept', 'yes'])).toBe('OK');
    const { Id } = await bed.container(id);
    await engineRequest('POST', `/containers/${Id}/kill`);
    await bed.panel.admin.post(`/api/v1/services/${id}/redeploy`);
    await bed.untilDone(id);
    expect(await redis(['GET', 'kept'])).toBe('yes');
  }, 180_000);

  it('accepts the new password after a rotation and a restart, and refuses the old one', async () => {
    const path = `/api/v1/services/${id}/credentials`;
    expect((await bed.panel.admin.post(`${path}/rotate`)).status).toBe(200);
    expect(await redis(['PING'], CANARY)).toMatch(/NOAUTH|WRONGPASS/);
    password = (await bed.panel.admin.post(`${path}/reveal`)).body.password as string;
    expect(await redis(['PING'])).toBe('PONG');
    await bed.panel.admin.post(`/api/v1/services/${id}/restart`);
    await bed.untilDone(id);
    expect(await redis(['PING'])).toBe('PONG');
    expect(await redis(['GET', 'kept'])).toBe('yes');
  }, 120_000);

  it('uses the newest image of its series, and none of an older or newer series', async () => {
    const image = 'library/redis:7.4-bookworm';
    const redeploy = async () => {
      const answer = await bed.panel.admin.post(`/api/v1/services/${id}/redeploy`);
      expect(answer.status).toBe(202);
      return bed.panel.untilOver(id);
    };
    const newest = await bed.publish('redis', image, ['ENV REDIS_VERSION=7.0.16']);
    expect(await redeploy()).toMatchObject({ status: 'succeeded', imageDigests: { cache: newest } });
    const { Id } = await bed.container(id);

    await bed.publish('redis', image, ['ENV REDIS_VERSION=6.2.14']);
    expect((await redeploy()).errorMessage).toMatch(/^validation_failed: version_downgrade: /);
    // After a refusal, the next redeployment asks the registry again.
    expect((await redeploy()).errorMessage).toMatch(/^validation_failed: version_downgrade: /);
    await bed.publish('redis', image, ['ENV REDIS_VERSION=8.0.2']);
    expect((await redeploy()).errorMessage).toMatch(/^validation_failed: major_upgrade_unsupported: /);

    // Somebody has imported such an image into the engine by hand.
    await bed.putOnEngine('redis', image, ['ENV REDIS_VERSION=6.2.14']);
    const refused = await bed.panel.admin.post(`/api/v1/services/${id}/redeploy`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'version_downgrade']);
    expect(refused.body.error.message).toContain('restore a backup');

    expect(await bed.container(id)).toMatchObject({ Id, State: 'running' });
    expect(await redis(['GET', 'kept'])).toBe('yes');
  }, 120_000);
});
