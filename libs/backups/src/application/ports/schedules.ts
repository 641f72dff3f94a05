/** Reads cron schedules, in UTC. */
export abstract class Schedules {
  /**
   * The first run after a moment.
   * @throws ScheduleNeverRuns for a text that is no schedule of five fields, and for one that never comes
   */
  abstract next(schedule: string, after: Date): Date;
}
