import { Invalid } from '#kernel/errors';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import { METRICS_RANGES, type MetricsRange } from '#libs/services';

export const MAX_IDS = 400;
export const DEFAULT_RANGE: MetricsRange = '1h';

/**
 * Ids of services, separated by commas. Null without the parameter: all services. An empty list names none.
 * @throws Invalid naming `ids`
 */
export function idsOf(value: unknown): readonly Uuid[] | null {
  if (value === undefined) return null;
  const given = (Array.isArray(value) ? value : [value])
    .flatMap((text) => String(text).split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const ids = new Set(given.map(parseUuid));
  if (ids.has(null)) throw Invalid.field('ids', 'must be UUIDs separated by commas', 'validation_failed');
  if (ids.size > MAX_IDS) throw Invalid.field('ids', `must name at most ${MAX_IDS} services`, 'validation_failed');
  return [...ids] as Uuid[];
}

/** @throws Invalid naming `range` */
export function rangeOf(value: unknown): MetricsRange {
  if (value === undefined) return DEFAULT_RANGE;
  const range = METRICS_RANGES.find((known) => known === value);
  if (!range) throw Invalid.field('range', `must be one of ${METRICS_RANGES.join(', ')}`, 'validation_failed');
  return range;
}
