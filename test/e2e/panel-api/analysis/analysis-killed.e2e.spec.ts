import { ModelServer, saysPlainly } from '../../../support/analysis/model-server.js';
import { eventually } from '../../../support/docker/eventually.js';
import { GitServer } from '../../../support/git/git-server.js';
import { PanelInstallation } from '../../../support/services/panel-installation.js';

describe('an analysis whose worker is killed', () => {
  let git: GitServer;
  let model: ModelServer;
  let panel: PanelInstallation;

  beforeAll(async () => {
    [git, model] = await Promise.all([GitServer.start(), ModelServer.start()]);
    panel = await PanelInstallation.start({
      DOCKER_HOST: 'unix:///nowhere/docker.sock',
      GIT_ALLOWED_HOSTS: git.host,
      GIT_CA_FILE: git.caFile,
      AI_BASE_URL: model.url,
      AI_MODEL: 'test-model',
    });
    await panel.startApi();
  }, 60_000);
  afterAll(async () => {
    await panel?.close();
    await Promise.all([git?.close(), model?.close()]);
  });

  it('is repeated by the next worker and completes once', async () => {
    git.repository('shop').commit({ 'package.json': '{"name":"shop","scripts":{"start":"node a.js"}}' });
    model.behaviour = () => undefined;
    const worker = await panel.startWorker();
    const asked = await panel.call('POST', '/analyze/gitea', { repo_url: git.url('shop') });
    expect([asked.status, asked.body.status]).toEqual([202, 'queued']);
    const id = asked.body.analysis_id as string;
    await eventually(
      () => Promise.resolve(model.questions.length),
      (count) => count === 1,
      20_000,
    );
    await worker.end('SIGKILL');
    expect((await panel.call('GET', `/analyze/${id}`)).body.status).toBe('analyzing');
    model.behaviour = saysPlainly({ summary: 'Said to the second worker.' });
    await panel.endLeases();
    await panel.startWorker();
    const done = await eventually(
      async () => (await panel.call('GET', `/analyze/${id}`)).body,
      ({ status }) => status === 'completed' || status === 'failed',
      40_000,
    );
    expect([done.status, done.error, done.result?.summary]).toEqual(['completed', null, 'Said to the second worker.']);
    expect(model.questions).toHaveLength(2);
  }, 90_000);
});
