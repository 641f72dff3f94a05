import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Docker from 'dockerode';
import { pack } from 'tar-stream';
import { readFileSync } from 'node:fs';
import { compare } from '../../lib/rounds.js';
import type { Measured, Row } from '../../lib/row.js';
import type { Stage } from '../../lib/stage.js';

const ENGINE = 'unix:///var/run/docker.sock';
const IMAGE = 'tenantry-bench/web:1';
const SERVICE = `{image: '${IMAGE}', init: true}`;
const BUSYBOX = ['/bin/busybox', '/usr/bin/busybox'];

const ONE = `services:\n  web: ${SERVICE}\n`;
const THREE = `services:\n  db: ${SERVICE}\n  cache: ${SERVICE}\n  web: ${SERVICE}\n`;
const after = (...names: string[]) => `{image: '${IMAGE}', init: true, depends_on: [${names.join(', ')}]}`;
const FIVE = `services:
  db: ${SERVICE}
  cache: ${SERVICE}
  api: ${after('db', 'cache')}
  worker: ${after('db', 'cache')}
  web: ${after('api')}
`;

const COMPOSE = 'docker-compose up -d of the same file';
const shared = { unit: 's', better: 'lower', unfit: unfitEngine } as const;
const against = { ...shared, baseline: COMPOSE, floor: 1.2, ambitious: 1, unfit: unfitCompose } as const;

/** The time from the request to `running`, with the images already on the engine. */
export const deployGroup: readonly Row[] = [
  {
    ...shared,
    number: '19a',
    work: 'deploy 3 containers to running',
    baseline: 'dockerode: network, create, start',
    floor: 1.5,
    ambitious: 1.15,
    run: (stage) => measure(stage, THREE, () => bare(3)),
  },
  {
    ...against,
    number: '19b',
    work: 'deploy 1 container to running',
    run: (stage) => measure(stage, ONE, () => compose(ONE)),
  },
  {
    ...against,
    number: '19c',
    work: 'deploy 5 containers with depends_on to running',
    run: (stage) => measure(stage, FIVE, () => compose(FIVE)),
  },
];

async function measure(stage: Stage, file: string, baseline: () => Promise<number>): Promise<Measured> {
  await makeImage();
  const panel = await stage.startPanel({ withWorker: true, settings: { DOCKER_HOST: ENGINE } });
  try {
    return await compare(
      stage.options.rounds,
      async () => {
        const { id, seconds } = await panel.deploy(file);
        await panel.remove(id);
        return seconds;
      },
      baseline,
    );
  } finally {
    await panel.stop();
    await docker().getImage(IMAGE).remove({ force: true });
  }
}

/** The time that the engine alone needs for the same calls, one after the other. */
async function bare(containers: number): Promise<number> {
  const engine = docker();
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const startedAt = performance.now();
  const network = await engine.createNetwork({ Name: name });
  const made = [];
  for (let index = 0; index < containers; index += 1) {
    const HostConfig = { NetworkMode: name, Init: true };
    const container = await engine.createContainer({ name: `${name}_${index}`, Image: IMAGE, HostConfig });
    await container.start();
    made.push(container);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  for (const container of made) await container.remove({ force: true });
  await network.remove();
  return seconds;
}

async function compose(file: string): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-compose-'));
  await writeFile(path.join(folder, 'docker-compose.yml'), `version: '3.7'\n${file}`);
  const run = (...args: string[]) => {
    const { status, stderr } = spawnSync('docker-compose', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`docker-compose ${args.join(' ')}: ${stderr}`);
  };
  const startedAt = performance.now();
  run('up', '-d');
  const seconds = (performance.now() - startedAt) / 1000;
  run('down', '--timeout', '1');
  await rm(folder, { recursive: true });
  return seconds;
}

/** An image with a static busybox that sleeps. */
async function makeImage(): Promise<void> {
  const tar = pack();
  tar.entry({ name: 'bin/busybox', mode: 0o755 }, readFileSync(BUSYBOX.find((file) => existsSync(file))!));
  tar.finalize();
  const [repo, tag] = IMAGE.split(':');
  const changes = ['CMD ["/bin/busybox","sleep","3600"]'];
  const answer = await docker().importImage(tar as unknown as NodeJS.ReadableStream, { repo, tag, changes });
  answer.resume();
  await new Promise((resolve) => answer.once('end', resolve));
}

function docker(): Docker {
  return new Docker({ socketPath: ENGINE.slice('unix://'.length) });
}

function unfitEngine(): string | null {
  if (!existsSync(ENGINE.slice('unix://'.length))) return `no Docker engine at ${ENGINE}`;
  return BUSYBOX.some((file) => existsSync(file)) ? null : 'no static busybox (Debian: busybox-static)';
}

function unfitCompose(): string | null {
  const missing = spawnSync('docker-compose', ['version'], { stdio: 'ignore' }).status !== 0;
  return unfitEngine() ?? (missing ? 'no docker-compose (Debian: docker-compose)' : null);
}
