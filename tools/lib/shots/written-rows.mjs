import { randomUUID } from 'node:crypto';
import pg from 'pg';

const HOUR_MS = 3_600_000;
const CHECKSUM = 'a'.repeat(64);
const COMMIT = '9f2c1d7e52a54a539c392c6a5c1f0a1122334455';

/**
 * What takes a database server, a model, a Git host or time to come about, as rows alone: backups, a restore and a
 * recovery window of that PostgreSQL, a finished analysis, a preview, and what a disk measured.
 * @param stage ids of what is on it
 * @returns ids for the addresses of screens
 */
export async function addWrittenRows(databaseUrl, { database, cache, pushed, shop, template }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await addHistory(client, database);
    await addRestore(client, database, cache);
    await addDisk(client, shop);
    return { analysis: await addAnalysis(client, template), preview: await addPreview(client, pushed) };
  } finally {
    await client.end();
  }
}

const ago = (hours) => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** The database looks as if it had been there for days. */
async function addHistory(client, id) {
  await client.query(
    `update services.services
        set status = 'stopped', settled_status = 'stopped', desired_state = 'stopped', status_reason = null
      where id = $1`,
    [id],
  );
  await client.query(
    `insert into backups.policies (service_id, schedule, keep_daily, keep_weekly, keep_monthly, verify, pitr,
         next_run_at, updated_at)
       values ($1, '30 2 * * *', 7, 4, 6, 'always', true, now() + interval '9 hours', now())`,
    [id],
  );
  for (const backup of BACKUPS) await addBackup(client, id, backup);
  await client.query(
    `insert into backups.wal_bases (id, service_id, store_key, sha256, size_bytes, first_segment, ended_at)
       values ($1::uuid, $2, $1::uuid::text, $3, 31457280, $4, $5)`,
    [randomUUID(), id, CHECKSUM, SEGMENT, ago(70)],
  );
  await client.query(
    `insert into backups.wal_segments (service_id, name, next, sha256, size_bytes, marked_at)
       values ($1, $2, $3, $4, 1024, now())`,
    [id, SEGMENT, NEXT_SEGMENT, CHECKSUM],
  );
  await client.query(
    `insert into backups.wal_streams (service_id, next_segment, reaches_to, problem, needs_base)
       values ($1, $2, now(), null, false)`,
    [id, NEXT_SEGMENT],
  );
}

const SEGMENT = '000000010000000000000001';
const NEXT_SEGMENT = '000000010000000000000002';
const VERIFIED = { status: 'verified', durationSeconds: 4, objects: 41, rows: 18342, errorMessage: null };
const BACKUPS = [
  { hours: 2, trigger: 'manual', verification: { ...VERIFIED, verifiedAt: ago(1.9) } },
  { hours: 26, trigger: 'schedule', verification: { ...VERIFIED, verifiedAt: ago(25.9) } },
  { hours: 50, trigger: 'schedule', error: 'The backup directory is full: make room, then make a backup again.' },
  { hours: 74, trigger: 'pre-restore', verification: null },
];

function addBackup(client, serviceId, { hours, trigger, verification = null, error = null }) {
  const made = error === null;
  return client.query(
    `insert into backups.backups (id, service_id, kind, trigger, status, origin, store_key, size_bytes, sha256,
         database_version, verification, error_message, created_at, started_at, finished_at, expires_at)
       values ($1::uuid, $2, 'dump', $3, $4, '{}', $1::uuid::text, $5, $6, '16.4', $7, $8, $9, $9, $9, $10)`,
    [
      randomUUID(),
      serviceId,
      trigger,
      made ? 'succeeded' : 'failed',
      made ? 5_400_000 : null,
      made ? CHECKSUM : null,
      verification && JSON.stringify(verification),
      error,
      ago(hours),
      made && trigger === 'schedule' ? new Date(Date.now() + 144 * HOUR_MS).toISOString() : null,
    ],
  );
}

/** One that has just ended, into another service. */
function addRestore(client, serviceId, targetId) {
  return client.query(
    `insert into backups.restores (id, backup_id, service_id, target_id, into_service, status, actor, created_at,
         started_at, finished_at)
       select $1, id, service_id, $3, 'new', 'succeeded', '{}', now() - interval '2 minutes',
           now() - interval '2 minutes', now() - interval '1 minute'
         from backups.backups where service_id = $2 and status = 'succeeded' order by created_at desc limit 1`,
    [randomUUID(), serviceId, targetId],
  );
}

function addDisk(client, serviceId) {
  const volumes = [{ name: 'uploads', bytes: 734_003_200 }];
  const images = [{ ref: 'registry.example.com/acme/shop:1.4', bytes: 188_743_680, shared: true }];
  return client.query(
    `insert into services.disk_usage (service_id, measured_at, stored_at, total_bytes, volumes, containers, images)
       values ($1, now(), now(), $2, $3, '[]', $4)
       on conflict (service_id) do update set volumes = excluded.volumes, images = excluded.images,
         total_bytes = excluded.total_bytes, measured_at = now(), stored_at = now()`,
    [serviceId, 738_197_504, JSON.stringify(volumes), JSON.stringify(images)],
  );
}

async function addPreview(client, parentId) {
  const id = randomUUID();
  await client.query(
    `insert into services.services (id, name, deployment_type, status, settled_status, desired_state, suspended,
         cpu_cores, memory_mb, disk_mb, spec_version, created_at, updated_at)
       values ($1, 'website-pr-7', 'git', 'stopped', 'stopped', 'stopped', false, 1, 512, 5120, 1, now(), now())`,
    [id],
  );
  await client.query(
    `insert into services.previews (service_id, parent_id, pull_request, expires_at)
       values ($1, $2, 7, now() + interval '70 hours')`,
    [id, parentId],
  );
  return id;
}

async function addAnalysis(client, templateId) {
  const id = randomUUID();
  await client.query(
    `insert into analysis.analyses (id, git_host, repo_url, branch, commit_sha, status, prompt_version, model, attempts,
         cancel_requested, result, created_at, completed_at)
       values ($1, 'github', 'https://github.com/acme/shop', 'main', $2, 'completed', 1, 'example-model', 1, false, $3,
         now(), now())`,
    [id, COMMIT, JSON.stringify(resultOf(templateId))],
  );
  return id;
}

const variable = (name, evidence, { required = false, secret = false, value = null, description = null }) => ({
  name,
  evidence,
  required,
  secret,
  default: value,
  description,
});

const resultOf = (templateId) => ({
  summary: 'A web shop with a REST API. It keeps orders in PostgreSQL and sends mail by SMTP.',
  language: 'node',
  framework: 'express',
  package_manager: 'npm',
  build_method: 'auto',
  confidence: 0.85,
  port: 3000,
  start_command: 'node server.js',
  dockerfile: null,
  compose_yaml: null,
  env_vars: [
    variable('DATABASE_URL', '.env.example:1', { required: true, secret: true, description: 'Where orders are kept.' }),
    variable('SESSION_SECRET', 'src/session.js:12', { required: true, secret: true }),
    variable('SMTP_HOST', '.env.example:4', { value: 'localhost', description: 'The mail server.' }),
  ],
  databases: [
    {
      kind: 'postgresql',
      template_id: templateId,
      env_mapping: { DATABASE_URL: 'postgres://{username}:{password}@{host}:{port}/{database}' },
      evidence: 'package.json:12',
    },
  ],
  volumes: [{ name: 'uploads', path: '/app/uploads' }],
  healthcheck: { path: '/health' },
  resource_limits: { cpuCores: 1, memoryMb: 512, diskMb: 5120 },
  warnings: ['The repository has no lock file: builds may differ from day to day.'],
  deploy: { databases: [], git: { name: 'shop', git_repo_url: 'https://github.com/acme/shop' }, compose: null },
});
