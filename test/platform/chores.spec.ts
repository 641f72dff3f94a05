import { setTimeout as sleep } from 'node:timers/promises';
import { BullModule, getQueueToken, InjectQueue, Processor } from '@nestjs/bullmq';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Queue } from 'bullmq';
import { QueueModule } from '#platform/queue/queue.module';
import { ChoreProcessor, DAY_MS } from '../../apps/worker/src/chores.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const QUEUE = 'chores-under-test';
let runs = 0;

@Processor(QUEUE)
class Counter extends ChoreProcessor {
  protected override readonly lookEvery = 300;

  constructor(@InjectQueue(QUEUE) queue: Queue) {
    super(queue, {
      count: { period: 200, run: () => Promise.resolve(void runs++) },
      yearly: { period: 366 * DAY_MS, pattern: '0 0 0 1 1 *', run: () => Promise.resolve(void (runs += 1_000_000)) },
    });
  }
}

describe('a chore of the worker', () => {
  const realNow = Date.now.bind(Date);
  let database: TestDatabase;
  let worker: INestApplicationContext | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
    runs = 0;
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await worker?.close();
    await database.drop();
  });

  const clockAhead = (ms: number) => jest.spyOn(Date, 'now').mockImplementation(() => realNow() + ms);

  async function startWorker(): Promise<void> {
    @Module({
      imports: [
        QueueModule.forRoot({ databaseUrl: database.url, redisUrl: undefined, poolSize: 4 }),
        BullModule.registerQueue({ name: QUEUE }),
      ],
      providers: [Counter],
    })
    class WorkerUnderTest {}
    const module = await Test.createTestingModule({ imports: [WorkerUnderTest] }).compile();
    worker = await module.init();
  }

  async function runsAgain(): Promise<boolean> {
    const before = runs;
    for (let tries = 0; tries < 50 && runs < before + 2; tries++) await sleep(100);
    return runs >= before + 2;
  }

  it('runs once a period', async () => {
    await startWorker();
    expect(await runsAgain()).toBe(true);
    expect(runs).toBeLessThan(1_000);
  });

  it('runs again when a worker before this one had its clock a day ahead', async () => {
    clockAhead(DAY_MS);
    await startWorker();
    expect(await runsAgain()).toBe(true);
    await worker?.close();
    jest.restoreAllMocks();
    await startWorker();
    expect(await runsAgain()).toBe(true);
  });

  it('runs again when the queue has lost its schedule', async () => {
    await startWorker();
    expect(await runsAgain()).toBe(true);
    const queue = worker!.get<Queue>(getQueueToken(QUEUE));
    for (const name of ['count', 'yearly']) await queue.removeJobScheduler(name);
    await sleep(100);
    expect(await runsAgain()).toBe(true);
    expect((await queue.getJobSchedulers()).map(({ key }) => key).sort()).toEqual(['count', 'yearly']);
  });

  it('runs again when the clock is set back while the worker runs', async () => {
    clockAhead(DAY_MS);
    await startWorker();
    expect(await runsAgain()).toBe(true);
    jest.restoreAllMocks();
    await sleep(500);
    expect(await runsAgain()).toBe(true);
  });
});
