import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { p99AtRate } from '../../lib/fixed-rate.js';
import { peakDuring } from '../../lib/memory.js';
import { compare, timed } from '../../lib/rounds.js';
import type { Panel } from '../../lib/panel.js';
import type { Measured, Row } from '../../lib/row.js';
import type { Stage } from '../../lib/stage.js';
import { ByHand } from './by-hand.js';
import { DatabaseBed, unfit } from './database-bed.js';

const PER_SECOND = 100;
const OTHERS_SERVICES = 20;
const BY_HAND = 'pg_dump -Fc | age > file in the same container';

const time = { unit: 's', better: 'lower', unfit } as const;
const memory = { unit: 'MB', baseline: 'none', better: 'lower', floor: 150, ambitious: 60, unfit } as const;

/** Backups of a PostgreSQL service with `--backup-mb` of rows. */
export const backups: readonly Row[] = [
  {
    ...time,
    number: '33a',
    work: 'backup from the request until it is stored: dumped, encrypted, read back',
    baseline: BY_HAND,
    floor: 1.3,
    ambitious: 1.1,
    run: (stage) => againstDump(stage, (bed, id) => bed.untilStored(id)),
  },
  {
    ...time,
    number: '33b',
    work: 'the same until it has succeeded: also counted, with a digest of every table up to 512 MiB',
    baseline: BY_HAND,
    floor: 1.3,
    ambitious: 1.1,
    run: (stage) => againstDump(stage, (bed, id) => bed.untilSucceeded(id)),
  },
  {
    ...memory,
    number: '34a',
    work: 'growth of the memory resident in a new worker during backups, a quarter of the rows',
    run: (stage) => growth(stage, stage.options.backupMb / 4),
  },
  {
    ...memory,
    number: '34b',
    work: 'the same, all rows',
    run: (stage) => growth(stage, stage.options.backupMb),
  },
  {
    ...time,
    number: '35',
    work: 'verification of a backup from the request on',
    baseline: 'new container, age -d | pg_restore',
    floor: 1.4,
    ambitious: 1.2,
    run: againstRestore,
  },
  {
    number: '36',
    work: `GET /portal/services of another organisation, ${PER_SECOND} a second, during a backup, p99`,
    unit: 'ms',
    baseline: 'the same without a backup',
    better: 'lower',
    floor: 3,
    ambitious: 1.5,
    unfit,
    run: neighbours,
  },
];

function againstDump(stage: Stage, until: (bed: DatabaseBed, id: string) => Promise<void>): Promise<Measured> {
  return DatabaseBed.use(stage, stage.options.backupMb, (bed) => {
    const byHand = new ByHand(bed);
    const ours = async () => {
      const startedAt = performance.now();
      const id = await bed.askForBackup();
      await until(bed, id);
      const seconds = (performance.now() - startedAt) / 1000;
      await bed.untilSucceeded(id);
      await bed.forget(id);
      return seconds;
    };
    return compare(stage.options.rounds, ours, async () => (await timed(() => byHand.dump())) / 1000);
  });
}

/** Memory of the worker above that before its first backup, because Node returns little memory afterwards. */
function growth(stage: Stage, megabytes: number): Promise<Measured> {
  return DatabaseBed.use(stage, megabytes, async (bed) => {
    const { worker } = bed.panel;
    const idle = worker.residentMb();
    const most = await peakDuring(worker, async () => {
      for (let round = 0; round < stage.options.rounds; round += 1) await bed.backUp();
    });
    return { ours: most - idle, baseline: null, judged: most - idle };
  });
}

function againstRestore(stage: Stage): Promise<Measured> {
  return DatabaseBed.use(stage, stage.options.backupMb, async (bed) => {
    const byHand = new ByHand(bed);
    await byHand.dump();
    const id = await bed.askForBackup();
    await bed.untilSucceeded(id);
    const seconds = async (work: () => Promise<void>) => (await timed(work)) / 1000;
    return compare(
      stage.options.rounds,
      () => seconds(() => bed.verify(id)),
      () => seconds(() => byHand.restore()),
    );
  });
}

/** Latency of other requests during a backup. They are sent at a fixed rate over connections that stay open. */
function neighbours(stage: Stage): Promise<Measured> {
  return DatabaseBed.use(stage, stage.options.backupMb, async (bed) => {
    const ask = await anotherOrganisation(stage, bed.panel);
    let length = stage.options.seconds;
    const during = async () => {
      const startedAt = performance.now();
      let isOver = false;
      const backup = bed.backUp().finally(() => (isOver = true));
      const [p99] = await Promise.all([p99AtRate(ask, PER_SECOND, () => isOver), backup]);
      length = (performance.now() - startedAt) / 1000;
      return p99;
    };
    return compare(stage.options.rounds, during, () => p99AtRate(ask, PER_SECOND, (seconds) => seconds >= length));
  });
}

/** @returns a function that requests the list of services of another organisation */
async function anotherOrganisation({ pool }: Stage, panel: Panel): Promise<() => Promise<void>> {
  const { id } = await panel.cli('orgs', 'create', '--name', `bench ${randomUUID()}`);
  await pool.query(
    `insert into services.services (id, customer_id, name, deployment_type, status, settled_status, desired_state,
       cpu_cores, memory_mb, disk_mb, spec_version, created_at, updated_at)
     select gen_random_uuid(), $1, 'theirs ' || n, 'compose', 'stopped', 'stopped', 'stopped', 1, 512, 5120, 1, now(), now()
       from generate_series(1, $2) n`,
    [id, OTHERS_SERVICES],
  );
  const headers = { authorization: `Bearer ${await panel.keyOfCustomer(id as string)}` };
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  return () =>
    new Promise((resolve, reject) => {
      const request = http.get({ port: panel.port, path: '/api/v1/portal/services', agent, headers }, (answer) => {
        answer.resume().on('end', () => {
          if (answer.statusCode === 200) resolve();
          else reject(new Error(`answered ${answer.statusCode}`));
        });
      });
      request.on('error', reject);
    });
}
