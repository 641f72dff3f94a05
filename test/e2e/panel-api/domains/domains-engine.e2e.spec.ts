import { PATIENCE } from '../../../../tools/lib/tests/patience.mjs';
import { anOrganisation } from '../../../support/builders/a-panel-user.js';
import { describeWithEngine } from '../../../support/docker/engine.js';
import { eventually } from '../../../support/docker/eventually.js';
import { forgetImages, publishImage } from '../../../support/docker/images.js';
import { startRegistry } from '../../../support/docker/registry.js';
import { askCaddy, type CaddyRequest } from '../../../support/ingress/caddy-client.js';
import { CaddyServer } from '../../../support/ingress/caddy.js';
import { SteadyClient, type SteadyReport } from '../../../support/ingress/steady-client.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../../support/services/panel-with-worker.js';

/** A web server of the test image. Its health check sends the request of a visitor. */
const SERVER = ['sh', '-c', 'mkdir -p /www && echo "I am $SITE" > /www/index.html && exec httpd -f -p 8080 -h /www'];

/**
 * How often each kind of deployment runs with a client that sends a request every 50 ms. By hand: 20 (docs/domains.md).
 */
const NO_GAP_ROUNDS = Number(process.env.TEST_NO_GAP_ROUNDS ?? '1');

describeWithEngine('services behind a Caddy, on a Docker engine', () => {
  let caddy: CaddyServer;
  let panel: PanelWithWorker;
  let registry: Awaited<ReturnType<typeof startRegistry>>;
  let image: string;

  beforeAll(async () => {
    [registry, caddy] = await Promise.all([startRegistry(), CaddyServer.start()]);
    image = `${registry.host}/acme/site:1`;
    await publishImage(image, { command: SERVER, healthcheck: 'wget -q -O /dev/null http://127.0.0.1:8080/' });
    panel = await startPanelWithWorker({
      registries: [registry.host],
      settings: { ...caddy.settings, BASE_DOMAIN: 'apps.test' },
    });
    // Two workers, which write the routes at the same time.
    for (let i = 0; i < 2; i++) await panel.startWorker();
  }, 90_000);

  afterAll(async () => {
    await panel?.close();
    await caddy?.remove();
    expect(caddy.hasCrashed).toBe(false);
    await forgetImages(registry.host);
    await registry.stop();
  }, 60_000);

  const webOf = (name: string, variables = '') =>
    `services:\n  web:\n    image: ${image}\n    init: true\n    expose: ["8080"]\n    environment:\n      SITE: ${name}\n${variables}`;
  const site = async (name: string, lines = '', customerId: string | null = null) => {
    const composeYaml = `${webOf(name)}${lines}`;
    const created = await panel.admin.post('/api/v1/services', { name, composeYaml, customerId });
    const id = created.body.serviceId as string;
    const host = `${name}.apps.test`;
    const { status, body } = await panel.admin.post(`/api/v1/services/${id}/domains`, { host });
    expect([status, body.status]).toEqual([201, 'active']);
    await panel.until(id, 'running');
    expect(await panel.untilOver(id)).toMatchObject({ status: 'succeeded' });
    await untilSays(host, `I am ${name}\n`);
    return { id, host };
  };
  const ask = (host: string, request: CaddyRequest = {}) =>
    askCaddy(caddy, host, request).then(
      ({ status, text }) => ({ status, text }),
      (error: Error) => ({ status: 0, text: error.message }),
    );
  const untilSays = (host: string, text: string) =>
    eventually(
      () => ask(host),
      (answer) => answer.text === text,
    );
  const untilAnswers = (host: string, wanted: number) =>
    eventually(
      () => ask(host),
      ({ status }) => status === wanted,
    );
  const act = async (id: string, action: string, body?: object) => {
    expect([action, (await panel.admin.post(`/api/v1/services/${id}/${action}`, body)).status]).toEqual([action, 202]);
    return panel.untilOver(id);
  };

  it('are reachable by their domains, and answer 503 while stopped or suspended', async () => {
    const { id, host } = await site('alpha');
    const { body } = await panel.admin.get(`/api/v1/services/${id}`);
    expect(body.url).toBe(`https://${host}:${caddy.httpsPort}`);
    await act(id, 'stop');
    expect((await ask(host)).status).toBe(503);
    await act(id, 'start');
    expect((await ask(host)).text).toBe('I am alpha\n');
    await act(id, 'suspend');
    expect((await ask(host)).text).toContain('This site is not available');
    await act(id, 'unsuspend');
    expect((await ask(host)).text).toBe('I am alpha\n');
    await act(id, 'restart');
    expect((await ask(host)).text).toBe('I am alpha\n');
    const seen = await eventually(
      async () => (await panel.admin.get(`/api/v1/services/${id}/domains`)).body.data[0].certificateExpiresAt,
      (end) => end !== null,
    );
    expect(new Date(seen as string).getTime()).toBeGreaterThan(Date.now());
  }, 60_000);

  it('are no longer reachable once the domain or the service is removed', async () => {
    const { id, host } = await site('beta');
    const { data } = (await panel.admin.get(`/api/v1/services/${id}/domains`)).body;
    const second = await panel.admin.post(`/api/v1/services/${id}/domains`, { host: 'beta-too.apps.test' });
    await untilSays('beta-too.apps.test', 'I am beta\n');
    expect((await panel.admin.delete(`/api/v1/domains/${second.body.id}`)).status).toBe(204);
    await untilAnswers('beta-too.apps.test', 0);
    expect(data[0].isPrimary).toBe(true);
    await panel.admin.delete(`/api/v1/services/${id}`);
    await panel.until(id, 'gone');
    expect((await ask(host)).status).toBe(0);
    const organisation = await anOrganisation(panel.api.app);
    await site('beta', '', organisation.id);
  }, 60_000);

  it('are reachable again after Caddy was killed, lost its configuration or had it deleted', async () => {
    const { host } = await site('gamma');
    await caddy.kill();
    await caddy.start();
    await untilSays(host, 'I am gamma\n');
    await caddy.kill();
    await caddy.start(false);
    await untilSays(host, 'I am gamma\n');
    expect((await fetch(`${caddy.adminUrl}/config/apps`, { method: 'DELETE' })).status).toBe(200);
    await untilSays(host, 'I am gamma\n');
  }, 60_000);

  it('answer every request while new containers start beside the old ones', async () => {
    const { id, host } = await site('delta');
    const client = new SteadyClient(caddy, host);
    const update = async (round: number) => {
      const composeYaml = webOf('delta', `      ROUND: "${round}"\n`);
      expect((await panel.admin.patch(`/api/v1/services/${id}`, { composeYaml })).status).toBe(202);
      return panel.untilOver(id);
    };
    const ends = [];
    client.start();
    for (let round = 0; round < NO_GAP_ROUNDS; round++) {
      const redeployed = await act(id, 'redeploy');
      ends.push(redeployed, await update(round), await act(id, 'rollback', { deploymentId: redeployed.id }));
    }
    const report = await client.stop();
    expect(ends.map(({ trigger, status, strategy }) => [trigger, status, strategy])).toEqual(
      Array.from({ length: NO_GAP_ROUNDS }, () =>
        ['redeploy', 'update', 'rollback'].map((trigger) => [trigger, 'succeeded', 'start-first']),
      ).flat(),
    );
    process.stderr.write(`no gap: ${report.answered} requests answered, the slowest in ${report.slowestMs} ms\n`);
    expect(report.failures).toEqual([]);
    expect(report.answered).toBeGreaterThan(20);
  }, 600_000);

  it('answer 503 between old and new containers that cannot run at the same time', async () => {
    const { id, host } = await site('epsilon', '    volumes: [data:/data]\nvolumes: {data: {}}\n');
    const client = new SteadyClient(caddy, host);
    client.start();
    expect((await act(id, 'redeploy')).strategy).toBe('stop-first');
    const { failures, gapMs } = await client.stop();
    // Besides, what the old container was answering when it was stopped is cut off.
    const isExpected = ({ status, text }: SteadyReport['failures'][number]) =>
      status === 503 || status === 502 || text === 'aborted';
    expect(failures.filter((failure) => !isExpected(failure))).toEqual([]);
    expect(gapMs).toBeLessThan(10_000 * PATIENCE);
  }, 60_000);
});
