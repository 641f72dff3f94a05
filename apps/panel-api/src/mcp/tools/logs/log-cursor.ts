import { Invalid } from '#kernel/errors';
import type { LogPosition } from '#libs/services';

const CURSOR = /^(\d{1,16})(?::(\d{1,6}))?$/;

/**
 * What `get_logs` takes as `since`.
 * @throws Invalid for anything but a time or the `next` of an earlier response
 */
export function positionOf(since: string): LogPosition {
  const [, micros, shown] = CURSOR.exec(since) ?? [];
  if (micros !== undefined && shown !== undefined) return { atMicros: Number(micros), skip: Number(shown) };
  if (micros !== undefined) return after(Number(micros));
  const millis = /^\d{4}-\d{2}-\d{2}T/.test(since) ? Date.parse(since) : NaN;
  if (Number.isNaN(millis))
    throw Invalid.field('since', 'must be an RFC 3339 time or the `next` of an earlier response');
  return after(millis * 1000);
}

/** The cursor for everything after `atMicros`, or after the first `shown` lines of that time. */
export function cursorOf(atMicros: number, shown: number | null): string {
  return shown === null ? String(atMicros) : `${atMicros}:${shown}`;
}

function after(micros: number): LogPosition {
  return { atMicros: micros + 1, skip: 0 };
}
