import { runInside } from '../../../support/docker/container-log.js';
import { describeWithEngine } from '../../../support/docker/engine.js';
import { engineJson, engineRequest } from '../../../support/docker/engine-http.js';
import { eventually } from '../../../support/docker/eventually.js';
import { forgetImages, makeImage } from '../../../support/docker/images.js';
import { anAdminKey } from '../../../support/builders/a-panel-user.js';
import { GitServer } from '../../../support/git/git-server.js';
import { deliver, type Hook } from '../../../support/git/hook-delivery.js';
import { SocketClient } from '../../../support/realtime/socket-client.js';
import { startPanelWithWorker, type PanelWithWorker } from '../../../support/services/panel-with-worker.js';

const BASE = `test-git-queue-${process.pid}`;
/** A build step that runs until `release` is called. */
const HELD = 'until [ -e /released ]; do sleep 0.1; done';
const MARK = `queued-${process.pid}`;

jest.setTimeout(90_000);

interface LogLine {
  readonly n: number;
  readonly at: string;
  readonly source: string;
  readonly text: string;
}

describeWithEngine('builds of two workers', () => {
  const instance = `git-queue-${process.pid}`;
  let git: GitServer;
  let panel: PanelWithWorker;
  let socket: SocketClient;

  beforeAll(async () => {
    git = await GitServer.start();
    await makeImage(`docker.io/${BASE}/shell:1`);
    const settings = {
      GIT_ALLOWED_HOSTS: git.host,
      GIT_CA_FILE: git.caFile,
      BUILD_MEMORY_MB: '128',
      BUILD_FIREWALL: 'off',
      PANEL_ANONYMOUS_RPM: '1000000',
    };
    panel = await startPanelWithWorker({ instance, settings });
    await panel.startWorker();
    await panel.startWorker();
    socket = await SocketClient.greeted(panel.api.url, { key: await anAdminKey(panel.api.app) });
  });

  afterAll(async () => {
    await socket?.close();
    await panel?.close();
    await git?.close();
    await forgetImages(BASE);
    await engineRequest('DELETE', `/networks/panel-build-${instance}`);
  });

  /** @param step a command of the build */
  const dockerfile = (name: string, step: string) =>
    `FROM ${BASE}/shell:1\nSTOPSIGNAL KILL\nRUN : ${MARK} ${name}; ${step}\nCMD ["sleep","1000"]\n`;

  async function create(name: string, step: string) {
    const repository = git.repository(name);
    repository.commit({ Dockerfile: dockerfile(name, step) });
    const answer = await panel.admin.post('/api/v1/services/git', { name, git_repo_url: git.url(name) });
    expect([answer.status, answer.text]).toEqual([202, expect.stringContaining('"status":"pending"')]);
    return { repository, ...(answer.body as { serviceId: string; deploymentId: string }) };
  }

  /** The running steps, except released ones, which are listed until they have exited. */
  const released = new Set<string>();
  const containers = async () => {
    const found = await engineJson<{ Id: string; Command: string }[]>('GET', '/containers/json');
    return found.filter(({ Id }) => !released.has(Id));
  };

  async function steps(): Promise<string[]> {
    return (await containers()).flatMap(({ Command }) => new RegExp(`${MARK} ([a-z-]+);`).exec(Command)?.[1] ?? []);
  }

  async function release(name: string): Promise<void> {
    const held = (await containers()).find(({ Command }) => Command.includes(`${MARK} ${name};`));
    await runInside(held!.Id, 'sh', '-c', ': > /released');
    released.add(held!.Id);
  }

  const untilBuilding = (name: string) =>
    eventually(steps, (running) => running.length === 1 && running[0] === name, 20_000);

  const logOf = async (deploymentId: string): Promise<LogLine[]> =>
    (await panel.admin.get(`/api/v1/deployments/${deploymentId}/log`)).body.lines as LogLine[];
  const untilSaid = (deploymentId: string, text: RegExp) =>
    eventually(
      () => logOf(deploymentId),
      (lines) => lines.some((line) => text.test(line.text)),
      20_000,
    );
  const allOf = async (serviceId: string): Promise<any[]> => {
    const pages = [1, 2, 3].map((page) => `/api/v1/services/${serviceId}/deployments?pageSize=100&page=${page}`);
    return (await Promise.all(pages.map((page) => panel.admin.get(page)))).flatMap(({ body }) => body.data as any[]);
  };
  const heard = (deploymentId: string): LogLine[] =>
    socket.of('deployment.log').flatMap(({ data }) => (data.deploymentId === deploymentId ? data.lines : []));

  it('run one at a time in order of arrival, report their place, and can be followed line by line', async () => {
    const first = await create('first', `echo said 1; ${HELD}; echo said 2`);
    await socket.subscribe(`deployment:${first.deploymentId}`);
    await untilBuilding('first');
    const second = await create('second', HELD);
    await untilSaid(second.deploymentId, /^Waiting for a turn: 1 build is ahead of this one\.$/);
    const third = await create('third', HELD);
    await untilSaid(third.deploymentId, /^Waiting for a turn: 2 builds are ahead of this one\.$/);

    // The output of the step arrives while it is still running.
    await socket.find(
      () => heard(first.deploymentId).some(({ text, source }) => text === 'said 1' && source === 'build'),
      'a line of the build',
    );
    expect(await steps()).toEqual(['first']);
    await release('first');
    await untilBuilding('second');
    await untilSaid(third.deploymentId, /^Waiting for a turn: 1 build is ahead of this one\.$/);
    expect(await steps()).toEqual(['second']);
    await release('second');
    await untilBuilding('third');
    await release('third');
    for (const { serviceId } of [first, second, third])
      expect(await panel.untilOver(serviceId)).toMatchObject({ status: 'succeeded' });

    // The log is kept after the end, and followers have received each line once.
    const kept = await logOf(first.deploymentId);
    expect(kept.map(({ text }) => text).filter((text) => text.startsWith('said'))).toEqual(['said 1', 'said 2']);
    await eventually(
      () => Promise.resolve(heard(first.deploymentId).length),
      (count) => count > 0 && heard(first.deploymentId).at(-1)!.n === kept.at(-1)!.n,
    );
    const numbers = heard(first.deploymentId).map(({ n }) => n);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });

  it('leave the queue at once if they are cancelled while they wait', async () => {
    const first = await create('holding', HELD);
    await untilBuilding('holding');
    const second = await create('waiting', 'true');
    await untilSaid(second.deploymentId, /1 build is ahead/);
    const third = await create('behind', 'true');
    await untilSaid(third.deploymentId, /2 builds are ahead/);
    const { status } = await panel.admin.post(`/api/v1/deployments/${second.deploymentId}/cancel`);
    expect(status).toBe(202);
    expect(await panel.untilOver(second.serviceId)).toMatchObject({ status: 'cancelled' });
    expect(await steps()).toEqual(['holding']);
    await untilSaid(third.deploymentId, /1 build is ahead/);
    await release('holding');
    expect(await panel.untilOver(third.serviceId)).toMatchObject({ status: 'succeeded' });
    expect(await panel.untilOver(first.serviceId)).toMatchObject({ status: 'succeeded' });
  });

  it('are only two for two hundred pushes, and the newest commit is deployed', async () => {
    const { serviceId, repository } = await create('pushed', 'true');
    expect(await panel.untilOver(serviceId)).toMatchObject({ status: 'succeeded' });
    const { body } = await panel.admin.post(`/api/v1/services/${serviceId}/hook`);
    const newer = (text: string) => repository.commit({ Dockerfile: dockerfile('pushed', `: ${text}; ${HELD}`) });
    const [before, last] = [newer('before'), newer('last')];
    const push = (commit: string) =>
      deliver(panel.api.url, 'github', body as Hook, {
        ref: 'refs/heads/main',
        after: commit,
        commits: [{ added: [], modified: ['Dockerfile'], removed: [] }],
      });
    expect((await push(before)).status).toBe(202);
    await untilBuilding('pushed');
    // These commits do not exist, so building one of them would fail.
    for (let number = 0; number < 198; number += 1)
      expect((await push(String(number).padStart(40, 'a'))).body.outcome).toBe('deployed');
    expect((await push(last)).body.outcome).toBe('deployed');
    await release('pushed');
    await eventually(
      async () => (await allOf(serviceId))[0],
      ({ steps: begun }) => begun.some(({ name }: { name: string }) => name === 'build'),
      20_000,
    );
    await untilBuilding('pushed');
    await release('pushed');
    expect(await panel.untilOver(serviceId)).toMatchObject({ status: 'succeeded', trigger: 'push', commitSha: last });
    const all = await allOf(serviceId);
    const built = all.filter((deployment) => deployment.steps.some(({ name }: { name: string }) => name === 'build'));
    expect(built.map(({ trigger, commitSha }) => [trigger, commitSha])).toEqual([
      ['push', last],
      ['push', before],
      ['git', expect.any(String)],
    ]);
    expect(all.filter(({ status }) => status === 'superseded')).toHaveLength(198);
  });
});
