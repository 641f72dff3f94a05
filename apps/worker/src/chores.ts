import { WorkerHost } from '@nestjs/bullmq';
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A periodic job. It finds its work in the database, so a lost or repeated run does no harm. */
export interface Chore {
  /** The longest time between two runs, in milliseconds. */
  readonly period: number;
  /** A cron pattern with seconds, in UTC; without one, runs are a period apart. */
  readonly pattern?: string;
  /** Also run when a worker starts, to make up for runs missed while none was running. */
  readonly atStart?: true;
  readonly run: () => Promise<number | void>;
}

/** Schedules chores and runs them. A chore has one entry in the queue, however many workers register it. */
export abstract class ChoreProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** How often the schedule is compared with the clock, in milliseconds. */
  protected readonly lookEvery: number = 60_000;
  private readonly logger = new Logger('Chores');
  private looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly queue: Queue,
    private readonly chores: Readonly<Record<string, Chore>>,
  ) {
    super();
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const [name, chore] of Object.entries(this.chores)) {
      await this.schedule(name, chore);
      if (chore.atStart) await this.queue.add(name, {});
    }
    this.looking = setInterval(() => void this.mend(), this.lookEvery);
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.looking);
  }

  async process(job: Job): Promise<number | void> {
    const chore = this.chores[job.name];
    if (!chore) throw new Error(`unknown chore ${job.name}`);
    return chore.run();
  }

  /** A run scheduled while the clock was ahead is scheduled again; otherwise the queue would wait for that time. */
  private async schedule(name: string, { period, pattern }: Chore): Promise<void> {
    if ((await this.nextOf(name)) > Date.now() + period) await this.queue.removeJobScheduler(name);
    const times = pattern ? { pattern, tz: 'UTC' } : { every: period };
    await this.queue.upsertJobScheduler(name, times, { name }).catch((error: unknown) => {
      // The run of this period was before the clock jumped. The next look schedules the one after it.
      if (!(error instanceof Error) || !error.message.includes('job ID already exists')) throw error;
    });
  }

  /** When its next run is scheduled, in milliseconds of the epoch; -1 if none is. */
  private async nextOf(name: string): Promise<number> {
    return (await this.queue.getJobScheduler(name))?.next ?? -1;
  }

  /** For a clock that is set back while the worker runs, and a Redis that comes back empty. */
  private async mend(): Promise<void> {
    try {
      for (const [name, chore] of Object.entries(this.chores)) {
        const next = await this.nextOf(name);
        if (next < 0 || next > Date.now() + chore.period) await this.schedule(name, chore);
      }
    } catch (error) {
      this.logger.warn(`the schedule was not checked: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
