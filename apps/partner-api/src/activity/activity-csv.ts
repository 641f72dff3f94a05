import type { ActivityEvent } from '#libs/licensing';
import { csvRecord } from '#kernel/text/csv';

const COLUMNS = ['id', 'at', 'event', 'actor', 'customerId', 'licenseId', 'licenseHumanId', 'data'] as const;

/** RFC 4180 with a header line, written record by record. */
export async function* activityCsv(events: AsyncIterable<ActivityEvent>): AsyncGenerator<string> {
  yield csvRecord(COLUMNS);
  for await (const { id, at, event, actor, customerId, licenseId, licenseHumanId, data } of events) {
    const cells = [id, at.toISOString(), event, actor, customerId, licenseId, licenseHumanId, JSON.stringify(data)];
    yield csvRecord(cells);
  }
}
