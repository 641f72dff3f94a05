interface Writer {
  query(statement: string, values: unknown[]): Promise<unknown>;
}

/** $1: `UsageRecord[]` as JSON, $2: when. */
const USAGES = `jsonb_to_recordset($1::jsonb) as u ("serviceId" uuid, "cpuPct" float8, "ramPct" float8,
  "memoryUsedBytes" bigint, "memoryLimitBytes" bigint, "netRxBytes" bigint, "netTxBytes" bigint,
  "blockReadBytes" bigint, "blockWriteBytes" bigint, pids bigint, "rxBps" float8, "txBps" float8, containers json,
  spark jsonb)`;

const CURRENT_FIELDS = [
  ...['cpuPct', 'ramPct', 'memoryUsedBytes', 'memoryLimitBytes', 'netRxBytes', 'netTxBytes'],
  ...['blockReadBytes', 'blockWriteBytes', 'pids'],
];
const CURRENT = `json_build_object(${CURRENT_FIELDS.map((name) => `'${name}', u."${name}"`).join(', ')})`;
const list = (value: string) =>
  `(select coalesce(json_agg(${value} order by n), '[]') from jsonb_array_elements(u.spark) with ordinality as p (point, n))`;

export const SAVE_NOW = `
  insert into services.metrics_now (service_id, sampled_at, stored_at, cpu_pct, ram_pct, current, containers,
    cpu_spark, ram_spark, spark_ages, spark_samples)
  select u."serviceId", $2, clock_timestamp(), u."cpuPct", u."ramPct", ${CURRENT}, u.containers, ${list("point->'cpuPct'")},
         ${list("point->'ramPct'")}, ${list("round((point->>'ageMs')::float8 / 1000)")}, ${list("point->'samples'")}
    from ${USAGES}
  on conflict (service_id) do update set sampled_at = excluded.sampled_at, stored_at = excluded.stored_at,
    cpu_pct = excluded.cpu_pct, ram_pct = excluded.ram_pct, current = excluded.current, containers = excluded.containers, cpu_spark = excluded.cpu_spark,
    ram_spark = excluded.ram_spark, spark_ages = excluded.spark_ages, spark_samples = excluded.spark_samples`;

export const SAVE_SAMPLES = `
  insert into services.metrics_samples (service_id, at, cpu_pct, ram_pct, rx_bps, tx_bps)
  select u."serviceId", $2, u."cpuPct", u."ramPct", u."rxBps", u."txBps" from ${USAGES}
  on conflict (service_id, at) do nothing`;

export const SAVE_MINUTES = `
  insert into services.metrics_minutes as m (service_id, minute, samples, cpu_sum, ram_sum, rx_sum, tx_sum)
  select u."serviceId", date_trunc('minute', $2::timestamptz), 1, u."cpuPct", u."ramPct", u."rxBps", u."txBps"
    from ${USAGES}
  on conflict (service_id, minute) do update set samples = m.samples + 1, cpu_sum = m.cpu_sum + excluded.cpu_sum,
    ram_sum = m.ram_sum + excluded.ram_sum, rx_sum = m.rx_sum + excluded.rx_sum, tx_sum = m.tx_sum + excluded.tx_sum`;

/** $1: `HealthRecord[]` as JSON, $2: when. */
export const SAVE_HEALTH = `
  insert into services.health (service_id, status, checked_at, stored_at, containers, attempts, last_attempt_at,
    next_attempt_at, unhealthy_looks, healthy_since)
  select h."serviceId", h.status, $2, clock_timestamp(), h.containers, r.attempts, r."lastAt", r."nextAt",
         r."unhealthyLooks", r."healthySince"
    from jsonb_to_recordset($1::jsonb) as h ("serviceId" uuid, status text, containers json, recovery jsonb),
         jsonb_to_record(h.recovery) as r (attempts int, "lastAt" timestamptz, "nextAt" timestamptz,
           "unhealthyLooks" int, "healthySince" timestamptz)
  on conflict (service_id) do update set status = excluded.status, checked_at = excluded.checked_at,
    stored_at = excluded.stored_at, containers = excluded.containers, attempts = excluded.attempts,
    last_attempt_at = excluded.last_attempt_at, next_attempt_at = excluded.next_attempt_at,
    unhealthy_looks = excluded.unhealthy_looks, healthy_since = excluded.healthy_since`;

/** $1: `DiskRecord[]` as JSON, $2: when. In order: two workers may measure at the same time. */
export const SAVE_DISKS = `
  insert into services.disk_usage (service_id, measured_at, stored_at, total_bytes, volumes, containers, images)
  select d."serviceId", $2, clock_timestamp(), d."totalBytes", d.volumes, d.containers, d.images
    from jsonb_to_recordset($1::jsonb) as d ("serviceId" uuid, "totalBytes" bigint, volumes json, containers json,
         images json)
   order by d."serviceId"
  on conflict (service_id) do update set measured_at = excluded.measured_at, stored_at = excluded.stored_at,
    total_bytes = excluded.total_bytes, volumes = excluded.volumes, containers = excluded.containers,
    images = excluded.images`;

const MONITORING_TABLES = ['metrics_now', 'metrics_samples', 'metrics_minutes', 'health', 'disk_usage'] as const;

/** 25 hours. */
const MINUTES_KEPT = 1_500;

/**
 * The oldest kept sample of each service is found by the index, without sorting. Services that were deleted while they
 * were being sampled are found in the small tables.
 */
export async function clearMonitoring(writer: Writer, now: Date, samples: number): Promise<void> {
  for (const [table, column, kept] of [
    ['metrics_samples', 'at', samples],
    ['metrics_minutes', 'minute', MINUTES_KEPT],
  ] as const) {
    await writer.query(
      `delete from services.${table} t using services.metrics_now n
        where t.service_id = n.service_id and t.${column} > $1`,
      [new Date(now.getTime() + 60_000)],
    );
    await writer.query(
      // Materialised, so that the limit is found once for each service and not once for each row.
      `with old as materialized (
         select n.service_id, (select x.${column} from services.${table} x where x.service_id = n.service_id
                                order by x.${column} desc offset $1 limit 1) as oldest
           from services.metrics_now n)
       delete from services.${table} t using old
        where t.service_id = old.service_id and t.${column} <= old.oldest`,
      [kept],
    );
  }
  const gone = (await writer.query(
    `select service_id as id from services.metrics_now union select service_id from services.health
     union select service_id from services.disk_usage except select id from services.services`,
    [],
  )) as { readonly id: string }[];
  if (gone.length > 0)
    await forgetMonitoring(
      writer,
      gone.map(({ id }) => id),
    );
}

/** Everything that was recorded for these services. */
export async function forgetMonitoring(writer: Writer, serviceIds: readonly string[]): Promise<void> {
  for (const table of MONITORING_TABLES)
    await writer.query(`delete from services.${table} where service_id = any($1)`, [serviceIds]);
}
