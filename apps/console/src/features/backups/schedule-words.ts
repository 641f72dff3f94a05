const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export const DAILY = '30 2 * * *';

export const SCHEDULES = [
  ['', 'only when somebody asks for one'],
  ['0 * * * *', 'every hour'],
  [DAILY, 'every day at 02:30 UTC'],
  ['30 2 * * 0', 'every Sunday at 02:30 UTC'],
] as const;

/** A cron schedule in words, for the common shapes; null for others, which are shown as they are. */
export function scheduleInWords(cron: string | null): string | null {
  if (cron === null) return 'only when somebody asks for one';
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.trim().split(/\s+/);
  if (month !== '*' || !/^\d+$/.test(minute)) return null;
  if (hour === '*' && day === '*' && weekday === '*') return `every hour at minute ${minute}`;
  if (!/^\d+$/.test(hour)) return null;
  const at = `at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')} UTC`;
  if (day === '*' && weekday === '*') return `every day ${at}`;
  if (day === '*' && /^[0-7]$/.test(weekday)) return `every ${DAYS[Number(weekday) % 7]} ${at}`;
  if (weekday === '*' && /^\d+$/.test(day)) return `on day ${day} of every month ${at}`;
  return null;
}
