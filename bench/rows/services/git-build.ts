import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { forgetImages, makeImage } from '../../../test/support/docker/images.js';
import { GitServer } from '../../../test/support/git/git-server.js';
import { peakDuring } from '../../lib/memory.js';
import type { Panel } from '../../lib/panel.js';
import { compare, repeat } from '../../lib/rounds.js';
import type { Row } from '../../lib/row.js';
import type { Stage } from '../../lib/stage.js';

const SOCKET = '/var/run/docker.sock';
const BASE = 'tenantry-bench-git';
const DOCKERFILE = `FROM docker.io/${BASE}/shell:1
STOPSIGNAL KILL
COPY . /app
RUN echo first > /first
RUN echo second > /second
CMD ["sleep", "3600"]
`;
const LARGE_MB = 60;

const cachedRebuild: Row = {
  number: '31a',
  work: 'repository with a three-step Dockerfile, all in the cache, to running',
  unit: 's',
  baseline: 'docker build and docker run of the same',
  better: 'lower',
  floor: 1.3,
  ambitious: 1,
  unfit,
  run: (stage) =>
    withPanel(stage, async (panel, git) => {
      const repository = git.repository('shop');
      repository.commit({ Dockerfile: DOCKERFILE, 'index.html': 'hello' });
      // This service stays, so the layers stay in the cache.
      const id = await create(panel, git.url('shop'));
      await untilOver(panel, id);
      const folder = await mkdtemp(path.join(tmpdir(), 'bench-git-'));
      execFileSync('git', ['clone', '--quiet', repository.folder, folder]);
      try {
        return await compare(
          stage.options.rounds,
          () => deployed(panel, git.url('shop')),
          () => byHand(folder),
        );
      } finally {
        await panel.remove(id);
        await rm(folder, { recursive: true });
      }
    }),
};

const cloneMemory: Row = {
  number: '31b',
  work: `growth of the memory resident in the worker while it clones ${LARGE_MB} MB`,
  unit: 'MB',
  baseline: 'none',
  better: 'lower',
  floor: 60,
  ambitious: 20,
  unfit,
  run: (stage) =>
    withPanel(stage, async (panel, git) => {
      // No language is recognised, so the deployment fails after the clone and nothing is built.
      git.repository('small').commit({ 'data.bin': 'x' });
      git.repository('large').commit({ 'data.bin': randomBytes(LARGE_MB * 2 ** 20) });
      await growth(panel, git.url('small'));
      return repeat(stage.options.rounds, () => growth(panel, git.url('large')));
    }),
};

export const gitBuild: readonly Row[] = [cachedRebuild, cloneMemory];

async function withPanel<T>(stage: Stage, work: (panel: Panel, git: GitServer) => Promise<T>): Promise<T> {
  const git = await GitServer.start();
  await makeImage(`docker.io/${BASE}/shell:1`);
  const settings = { DOCKER_HOST: `unix://${SOCKET}`, GIT_ALLOWED_HOSTS: git.host, GIT_CA_FILE: git.caFile };
  const panel = await stage.startPanel({ withWorker: true, settings: { ...settings, BUILD_FIREWALL: 'off' } });
  try {
    return await work(panel, git);
  } finally {
    await panel.stop();
    await git.close();
    await forgetImages(BASE);
    spawnSync('docker', ['network', 'rm', `panel-build-bench-${process.pid}`], { stdio: 'ignore' });
  }
}

async function create(panel: Panel, url: string): Promise<string> {
  const name = `bench-${randomBytes(6).toString('hex')}`;
  const { status, body } = await panel.call('POST', '/services/git', { name, git_repo_url: url });
  if (status !== 202) throw new Error(`refused: ${JSON.stringify(body)}`);
  return body.serviceId as string;
}

async function untilOver(panel: Panel, id: string): Promise<void> {
  for (;;) {
    const [newest] = (await panel.call('GET', `/services/${id}/deployments`)).body.data;
    if (newest.finishedAt !== null) return;
    await pause(10);
  }
}

/** @returns seconds from the request until the service is seen running */
async function deployed(panel: Panel, url: string): Promise<number> {
  const startedAt = performance.now();
  const id = await create(panel, url);
  await panel.until(id, 'running');
  const seconds = (performance.now() - startedAt) / 1000;
  await panel.remove(id);
  return seconds;
}

/** The same with the Docker CLI. */
async function byHand(folder: string): Promise<number> {
  const name = `bench-${randomBytes(6).toString('hex')}`;
  const docker = (...args: string[]) => {
    const env = { ...process.env, DOCKER_BUILDKIT: '0' };
    const { status, stderr } = spawnSync('docker', args, { encoding: 'utf8', env });
    if (status !== 0) throw new Error(`docker ${args.join(' ')}: ${stderr}`);
  };
  const startedAt = performance.now();
  docker('build', '--quiet', '--tag', `${BASE}/by-hand:1`, folder);
  docker('run', '--detach', '--init', '--name', name, `${BASE}/by-hand:1`);
  const seconds = (performance.now() - startedAt) / 1000;
  docker('rm', '--force', name);
  await Promise.resolve();
  return seconds;
}

/** @returns how many MB the resident memory of the worker grew at most */
async function growth(panel: Panel, url: string): Promise<number> {
  const before = panel.worker.residentMb();
  let id = '';
  const most = await peakDuring(panel.worker, async () => {
    id = await create(panel, url);
    await untilOver(panel, id);
  });
  await panel.remove(id);
  return most - before;
}

function unfit(): string | null {
  if (!existsSync(SOCKET)) return `no Docker engine at ${SOCKET}`;
  return spawnSync('docker', ['version'], { stdio: 'ignore' }).status === 0 ? null : 'no docker CLI';
}
