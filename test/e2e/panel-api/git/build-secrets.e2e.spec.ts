import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { anAdminKey } from '../../../support/builders/a-panel-user.js';
import { spellings, tableDumps } from '../../../support/database-dump.js';
import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { keepMachineBridge } from '../../../support/docker/own-engine/machine-bridge.js';
import { forgetImages, makeImage } from '../../../support/docker/images.js';
import { GitServer } from '../../../support/git/git-server.js';
import { SocketClient } from '../../../support/realtime/socket-client.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../../support/services/panel-with-worker.js';

const BASE = `test-build-secrets-${process.pid}`;
/** Random, so that no file of this test contains it. */
const CANARY = `canary-${randomBytes(9).toString('hex')}`;

jest.setTimeout(90_000);

describeWithEngine('secrets of builds', () => {
  const instance = `build-secrets-${process.pid}`;
  let git: GitServer;
  let panel: PanelWithWorker;
  let socket: SocketClient;
  let serviceId: string;

  /** The steps of BuildKit run in the default network of the machine's engine. */
  let releaseBridge: (() => void) | undefined;

  beforeAll(async () => {
    releaseBridge = await keepMachineBridge();
    git = await GitServer.start();
    await makeImage(`docker.io/${BASE}/shell:1`);
    // The firewall itself is tested by the contract suite of the builder, in a separate engine.
    const settings = {
      GIT_ALLOWED_HOSTS: git.host,
      GIT_CA_FILE: git.caFile,
      BUILD_FIREWALL: 'off',
      BUILD_BUILDKIT: 'capped',
    };
    panel = await startPanelWithWorker({ instance, settings });
    await panel.startWorker();
    socket = await SocketClient.greeted(panel.api.url, { key: await anAdminKey(panel.api.app) });
  }, 330_000);

  afterAll(async () => {
    await socket?.close();
    await panel?.close();
    await git?.close();
    releaseBridge?.();
    await forgetImages(BASE);
    await engineRequest('DELETE', `/networks/panel-build-${instance}`);
  });

  const dockerfile = (step: string) =>
    `FROM ${BASE}/shell:1\nSTOPSIGNAL KILL\nRUN --mount=type=secret,id=TOKEN ${step}\nCMD ["sleep","1000"]\n`;

  const logOf = async (deploymentId: string) => (await panel.admin.get(`/api/v1/deployments/${deploymentId}/log`)).text;

  /** Command lines and environments of all processes of this machine, and the files of clones. */
  function placesOnTheHost(): string {
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const told = processes.flatMap((pid) =>
      ['cmdline', 'environ'].map((file) => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'latin1');
        } catch {
          // The process has exited or belongs to another user.
          return '';
        }
      }),
    );
    const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(`panel-git-${process.pid}-`));
    const places = folders.map((name) => path.join(tmpdir(), name));
    const found = spawnSync('grep', ['-rlF', CANARY, ...places, '/dev/null'], { encoding: 'utf8' });
    return [...told, found.stdout].join('\n');
  }

  it('reach the step that mounts them and appear nowhere else', async () => {
    const repository = git.repository('shop');
    repository.commit({
      Dockerfile: dockerfile('cat /run/secrets/TOKEN; echo; wc -c < /run/secrets/TOKEN > /length; echo held; sleep 2'),
    });
    const created = await panel.admin.post('/api/v1/services/git', {
      name: 'shop',
      git_repo_url: git.url('shop'),
      build_secrets: { TOKEN: CANARY },
    });
    expect([created.status, created.text]).toEqual([202, expect.not.stringContaining(CANARY)]);
    serviceId = created.body.serviceId;
    const { deploymentId } = created.body as { deploymentId: string };
    await socket.subscribe(`deployment:${deploymentId}`);
    await socket.find(
      ({ type, data }) =>
        type === 'deployment.log' && data.lines.some((line: { text: string }) => line.text === 'held'),
      'the step that has the secret',
      40_000,
    );
    expect(placesOnTheHost()).not.toContain(CANARY);
    expect(await panel.untilOver(serviceId)).toMatchObject({ status: 'succeeded' });

    const { containerIds } = (await panel.admin.get(`/api/v1/services/${serviceId}`)).body as {
      containerIds: string[];
    };
    const container = await engineJson<{ Image: string }>('GET', `/containers/${containerIds[0]}/json`);
    const { text: length } = await engineRequest('GET', `/containers/${containerIds[0]}/archive?path=/length`);
    expect(length).toContain(`${CANARY.length}\n`);
    expect(JSON.stringify(container)).not.toContain(CANARY);
    for (const part of ['get', 'history', 'json'])
      expect((await engineRequest('GET', `/images/${container.Image}/${part}`)).bytes.includes(CANARY)).toBe(false);

    const log = await logOf(deploymentId);
    expect(log).toContain('***');
    expect(log).not.toContain(CANARY);
    expect(JSON.stringify(socket.messages)).not.toContain(CANARY);
  });

  it('are listed by name only, and a failed build does not reveal them', async () => {
    git.repository('shop').commit({ Dockerfile: dockerfile(`echo ${CANARY}; exit 5`) });
    await panel.admin.post(`/api/v1/services/${serviceId}/deploy`, {});
    const failed = await panel.untilOver(serviceId);
    expect(failed).toMatchObject({
      status: 'failed',
      errorMessage: 'build_failed: "echo ***; exit 5" ended with 5. See the log.',
    });
    const source = await panel.admin.get(`/api/v1/services/${serviceId}/source`);
    expect(source.body.git).toMatchObject({ build_secret_names: ['TOKEN'] });
    expect(source.text).not.toContain(CANARY);
    expect(await logOf(failed.id)).not.toContain(CANARY);

    git.repository('shop').commit({ Dockerfile: dockerfile('test ! -e /run/secrets/TOKEN') });
    const changed = await panel.admin.patch(`/api/v1/services/${serviceId}`, { build_secrets: null });
    expect(changed.status).toBe(202);
    expect(await panel.untilOver(serviceId)).toMatchObject({ status: 'succeeded' });
    const { body } = await panel.admin.get(`/api/v1/services/${serviceId}/source`);
    expect(body.git).toMatchObject({ build_secret_names: [] });
  });

  it('are in no table and in no log of a process', async () => {
    for (const [table, rows] of await tableDumps(panel.api.database.url))
      expect([table, spellings(CANARY).some((text) => rows.includes(text))]).toEqual([table, false]);
    expect(panel.logs()).not.toContain(CANARY);
    expect(panel.logs()).toContain(serviceId);
  });
});
