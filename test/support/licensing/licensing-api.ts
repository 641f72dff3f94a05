import pg from 'pg';
import type { Clock } from '#kernel/time/clock';
import { LicenseService } from '#libs/licensing';
import { FailPoints } from '../../../libs/licensing/src/application/ports/fail-points.js';
import { FakeLicenseService } from './fake-license-service.js';
import { startPartnerApi, type RunningPartnerApi } from '../partner-api.js';
import type { TestDatabase } from '../test-database.js';

/** Fails once at a place that a test names, as if the process had died there. */
export class BreakingFailPoints extends FailPoints {
  breakAt: string | null = null;

  reach(place: string): Promise<void> {
    if (place !== this.breakAt) return Promise.resolve();
    this.breakAt = null;
    return Promise.reject(new Error(`broken at ${place}`));
  }
}

export interface LicensingApi extends RunningPartnerApi {
  readonly service: FakeLicenseService;
  readonly failPoints: BreakingFailPoints;
  /** Queries the database of the API. */
  sql<R extends object>(text: string, values?: unknown[]): Promise<R[]>;
}

/** Starts the partner API with the fake license service, which can fail on demand. */
export async function startLicensingApi(
  options: { clock?: Clock; database?: TestDatabase; service?: FakeLicenseService } = {},
): Promise<LicensingApi> {
  const service = options.service ?? new FakeLicenseService();
  const failPoints = new BreakingFailPoints();
  const api = await startPartnerApi({
    ...options,
    replace: (builder) =>
      builder.overrideProvider(LicenseService).useValue(service).overrideProvider(FailPoints).useValue(failPoints),
  });
  const pool = new pg.Pool({ connectionString: api.database.url, max: 2 });
  pool.on('error', () => undefined);
  return {
    ...api,
    service,
    failPoints,
    sql: async <R extends object>(text: string, values: unknown[] = []) => (await pool.query<R>(text, values)).rows,
    close: async () => {
      await pool.end();
      await api.close();
    },
  };
}
