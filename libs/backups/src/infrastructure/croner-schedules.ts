import { Cron } from 'croner';
import { Schedules } from '../application/ports/schedules.js';
import { ScheduleNeverRuns } from '../domain/backup-errors.js';

/** Five fields only: a sixth field for seconds would be a mistake, and nicknames such as `@daily` are refused. */
const MODE = '5-part';
const FIVE_FIELDS = /^\S+( +\S+){4}$/;

export class CronerSchedules extends Schedules {
  next(schedule: string, after: Date): Date {
    const next = runAfter(schedule, after);
    if (next === null) throw new ScheduleNeverRuns('schedule never runs');
    return next;
  }
}

function runAfter(schedule: string, after: Date): Date | null {
  try {
    if (!FIVE_FIELDS.test(schedule)) throw new RangeError('not five fields');
    return new Cron(schedule, { timezone: 'UTC', mode: MODE, paused: true }).nextRun(after);
  } catch {
    throw new ScheduleNeverRuns('schedule must be five cron fields, such as `30 2 * * *`');
  }
}
