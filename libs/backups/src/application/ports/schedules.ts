/** Reads cron schedules, in UTC. */
export abstract class Schedules {
  /**
   * The first run after a moment, exclusive.
   * @throws ScheduleNeverRuns when the text is not a cron schedule of five fields, or names a date that never comes
   */
  abstract next(schedule: string, after: Date): Date;
}
