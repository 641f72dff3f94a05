import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { forgetImages, makeImage } from '../../../support/docker/images.js';
import { REGISTRY_LOGIN, startRegistry, type TestRegistry } from '../../../support/docker/registry.js';
import { GitServer } from '../../../support/git/git-server.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../../support/services/panel-with-worker.js';

const BASE = `test-git-registry-${process.pid}`;

jest.setTimeout(120_000);

describeWithEngine('images in a registry with a password', () => {
  const instance = `git-registry-${process.pid}`;
  let git: GitServer;
  let registry: TestRegistry;
  let panel: PanelWithWorker;

  beforeAll(async () => {
    await makeImage(`docker.io/${BASE}/shell:1`);
    [git, registry] = await Promise.all([GitServer.start(), startRegistry({ refuseAnonymous: true })]);
    const settings = {
      GIT_ALLOWED_HOSTS: git.host,
      GIT_CA_FILE: git.caFile,
      BUILD_MEMORY_MB: '128',
      BUILD_FIREWALL: 'off',
      BUILD_REGISTRY: `${registry.host}/builds`,
      BUILD_REGISTRY_USERNAME: REGISTRY_LOGIN.username,
      BUILD_REGISTRY_PASSWORD: REGISTRY_LOGIN.password,
    };
    panel = await startPanelWithWorker({ instance, settings, registries: [registry.host] });
    await panel.startWorker();
  });

  afterAll(async () => {
    await panel?.close();
    await Promise.all([git?.close(), registry?.stop()]);
    await engineRequest('DELETE', `/networks/panel-build-${instance}`);
    await forgetImages(BASE);
  });

  const ofRegistry = (path: string) => {
    const basic = Buffer.from(`${REGISTRY_LOGIN.username}:${REGISTRY_LOGIN.password}`).toString('base64');
    const accept = 'application/vnd.docker.distribution.manifest.v2+json';
    return fetch(`http://${registry.host}/v2/builds/panel-git/${path}`, {
      headers: { authorization: `Basic ${basic}`, accept },
    });
  };
  const isKept = async (serviceId: string, digest: string) =>
    (await ofRegistry(`${serviceId}/manifests/${digest}`)).status === 200;
  const digestOf = (deployment: any) => deployment.imageDigests.app as string;
  const stepsOf = (deployment: any) => deployment.steps.map(({ name }: { name: string }) => name) as string[];
  const imageOf = async (serviceId: string) => {
    const { containerIds } = (await panel.admin.get(`/api/v1/services/${serviceId}`)).body as {
      containerIds: string[];
    };
    const { Image } = await engineJson<{ Image: string }>('GET', `/containers/${containerIds[0]}/json`);
    return engineJson<{ Id: string; RepoDigests: string[]; RepoTags: string[] }>('GET', `/images/${Image}/json`);
  };

  const dockerfile = (text: string) =>
    `FROM ${BASE}/shell:1\nSTOPSIGNAL KILL\nRUN echo ${text} > /said\nCMD ["sleep","1000"]\n`;

  async function create(name: string): Promise<string> {
    const answer = await panel.admin.post('/api/v1/services/git', { name, git_repo_url: git.url(name) });
    expect([answer.status, answer.text]).toEqual([202, expect.stringContaining('"status":"pending"')]);
    return (answer.body as { serviceId: string }).serviceId;
  }

  async function deploy(serviceId: string, action = 'deploy', body: object = {}): Promise<any> {
    const { status, text } = await panel.admin.post(`/api/v1/services/${serviceId}/${action}`, body);
    expect([status, text]).toEqual([202, expect.anything()]);
    return panel.untilOver(serviceId);
  }

  it('are run, restored without a build and finally removed by their digest', async () => {
    const repository = git.repository('shop');
    repository.commit({ Dockerfile: dockerfile('1') });
    const serviceId = await create('shop');
    const made = [await panel.untilOver(serviceId)];
    expect(made[0]).toMatchObject({ errorMessage: null, status: 'succeeded' });
    expect((await imageOf(serviceId)).RepoDigests).toEqual([
      `${registry.host}/builds/panel-git/${serviceId}@${digestOf(made[0])}`,
    ]);
    for (const text of ['2', '3', '4', '5']) {
      repository.commit({ Dockerfile: dockerfile(text) });
      made.push(await deploy(serviceId));
    }
    const digests = made.map(digestOf);
    expect(new Set(digests).size).toBe(5);
    for (const digest of digests) expect(await isKept(serviceId, digest)).toBe(true);

    // The engine has lost the first image.
    const reference = `${registry.host}/builds/panel-git/${serviceId}`;
    const gone = await engineRequest('DELETE', `/images/${reference}@${digests[0]!}?force=1`);
    const { body } = await panel.admin.get(`/api/v1/deployments/${made[0].id}/log`);
    const tag = /Pushing [^"]+:([\w-]+)\./.exec(JSON.stringify(body))![1]!;
    await engineRequest('DELETE', `/images/${reference}:${tag}?force=1`);
    expect([gone.status, (await engineRequest('GET', `/images/${reference}:${tag}/json`)).status]).toEqual([200, 404]);
    const back = await deploy(serviceId, 'rollback', { deploymentId: made[0].id });
    expect(back).toMatchObject({ status: 'succeeded', trigger: 'rollback' });
    expect([stepsOf(back).includes('build'), stepsOf(back).includes('pull')]).toEqual([false, true]);
    expect(digestOf(back)).toBe(digests[0]);
    const pulled = await imageOf(serviceId);
    expect(pulled).toMatchObject({ RepoTags: [], RepoDigests: [`${reference}@${digests[0]}`] });

    // The deployed image is kept although five are newer, even though one of those never ran.
    repository.commit({ Dockerfile: `${dockerfile('6')}HEALTHCHECK --interval=200ms --retries=1 CMD exit 1\n` });
    expect((await deploy(serviceId)).status).toBe('failed');
    expect(await deploy(serviceId, 'redeploy')).toMatchObject({ errorMessage: null, status: 'succeeded' });
    expect(await Promise.all(digests.map((digest) => isKept(serviceId, digest)))).not.toContain(false);

    repository.commit({ Dockerfile: dockerfile('7') });
    const last = await deploy(serviceId);
    expect(last.status).toBe('succeeded');
    const kept = await Promise.all([...digests, digestOf(last)].map((digest) => isKept(serviceId, digest)));
    expect(kept).toEqual([false, false, true, true, true, true]);
    await panel.admin.delete(`/api/v1/services/${serviceId}`);
    await panel.until(serviceId, 'gone');
    const tags = (await (await ofRegistry(`${serviceId}/tags/list`)).json()) as { tags?: string[] | null };
    expect(tags.tags ?? []).toEqual([]);
    expect((await engineRequest('GET', '/images/json?all=1')).text).not.toContain(serviceId);
  });

  it('belong to their service: others can neither run them nor use them as a base', async () => {
    git.repository('owner').commit({ Dockerfile: dockerfile('owner') });
    const owner = await create('owner');
    await panel.untilOver(owner);
    const [tag] = (await imageOf(owner)).RepoTags;
    git.repository('thief').commit({ Dockerfile: `FROM ${tag}\nRUN cat /said\n` });
    const refused = /this image belongs to the service it was built for/;
    const thief = await create('thief');
    expect((await panel.untilOver(thief)).errorMessage).toMatch(refused);
    const composeYaml = JSON.stringify({ services: { web: { image: tag } } });
    const { body } = await panel.admin.post('/api/v1/services', { name: 'thief-2', composeYaml });
    expect((await panel.untilOver(body.serviceId as string)).errorMessage).toMatch(refused);
  });

  it('cannot be pushed with a wrong password or while the registry is down; running containers stay', async () => {
    const repository = git.repository('careful');
    repository.commit({ Dockerfile: dockerfile('good') });
    const serviceId = await create('careful');
    await panel.untilOver(serviceId);
    const running = (await imageOf(serviceId)).Id;
    await panel.stopWorkers();
    const wrong = await panel.startWorkerProcess({ BUILD_REGISTRY_PASSWORD: 'canary-of-a-wrong-password' });
    repository.commit({ Dockerfile: dockerfile('never pushed') });
    const denied = await deploy(serviceId);
    expect(denied.errorMessage).toBe(
      `build_failed: registry_denied: The registry ${registry.host} refuses the image. Check BUILD_REGISTRY_USERNAME and BUILD_REGISTRY_PASSWORD.`,
    );
    await wrong.end();
    await registry.stop();
    await panel.startWorker();
    const away = await deploy(serviceId);
    expect(away.errorMessage).toBe(
      `build_failed: registry_unreachable: The registry ${registry.host} cannot be reached.`,
    );
    expect((await imageOf(serviceId)).Id).toBe(running);
    const { text } = await panel.admin.get(`/api/v1/deployments/${denied.id}/log`);
    expect(panel.logs() + wrong.output() + text).not.toMatch(/canary-of-a-wrong-password|test-password/);
  });
});
