import { randomUUID } from 'node:crypto';
import pg from 'pg';

const NAMES = [
  'shop',
  'api',
  'blog',
  'wiki',
  'mailer',
  'crm',
  'billing',
  'search',
  'queue',
  'reports',
  'gateway',
  'cms',
];
const PLACES = ['berlin', 'lisbon', 'oslo', 'porto', 'riga', 'turin', 'vienna', 'zagreb'];
const REASON = {
  code: 'image_pull_failed',
  message: 'image_pull_failed: the registry refused the request: manifest unknown',
  deploymentId: null,
  at: new Date().toISOString(),
};

/** Rows of services that exist in the database alone, for screens that have to cope with many. */
export async function addManyServices(databaseUrl, count) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: owners } = await client.query('select id from panel_auth.organisations order by id limit 20');
    const services = Array.from({ length: count }, (_, index) => rowOf(index, owners));
    await client.query(
      `insert into services.services (id, customer_id, name, deployment_type, template_name, status, settled_status,
           desired_state, suspended, cpu_cores, memory_mb, disk_mb, spec_version, status_reason, created_at, updated_at)
       select r.id, r.owner, r.name, r.type, r.template, r.status, r.status, r.desired, r.status = 'suspended', 1, 512,
           10240, 1, r.reason, now() - r.age * interval '1 minute', now() - r.age * interval '1 minute'
         from jsonb_to_recordset($1::jsonb) as r(id uuid, owner uuid, name text, type text, template text, status text,
           desired text, reason jsonb, age integer)`,
      [JSON.stringify(services)],
    );
  } finally {
    await client.end();
  }
}

function rowOf(index, owners) {
  const status = ['stopped', 'stopped', 'stopped', 'suspended', 'error'][index % 5];
  const long = index % 50 === 7 ? ' with a name that goes on for longer than anybody would want it to' : '';
  const isDatabase = index % 4 === 1;
  return {
    id: randomUUID(),
    owner: index % 3 === 0 ? null : (owners[index % Math.max(1, owners.length)]?.id ?? null),
    name: `${NAMES[index % NAMES.length]}-${PLACES[index % PLACES.length]}-${index}${long}`,
    type: isDatabase ? 'template' : index % 4 === 2 ? 'git' : 'compose',
    template: isDatabase ? 'postgresql' : null,
    status,
    desired: 'stopped',
    reason: status === 'error' ? REASON : null,
    age: 60 + index * 7,
  };
}
