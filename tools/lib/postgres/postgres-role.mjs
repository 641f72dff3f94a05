const ROLE = 'tenantry';

/**
 * The application's role and database. The role is not a superuser, so that the rules of the schema apply to the
 * application. Safe to repeat; it also sets the role's password to the stored one.
 * @returns {Promise<string>} the URL that connects as that role
 */
export async function provideDatabase({ port, superuserPassword, password }) {
  const { default: pg } = await import('pg');
  const server = { host: '127.0.0.1', port, user: 'postgres', password: superuserPassword, database: 'postgres' };
  const client = new pg.Client({ ...server, application_name: 'tenantry-start' });
  await client.connect();
  try {
    const roles = await client.query('select 1 from pg_roles where rolname = $1', [ROLE]);
    const verb = roles.rowCount ? 'alter' : 'create';
    await client.query(
      `${verb} role ${ROLE} login createdb nosuperuser nocreaterole noreplication nobypassrls ` +
        `password ${client.escapeLiteral(password)}`,
    );
    const databases = await client.query('select 1 from pg_database where datname = $1', [ROLE]);
    if (!databases.rowCount) await client.query(`create database ${ROLE} owner ${ROLE}`);
  } finally {
    await client.end();
  }
  return `postgres://${ROLE}:${encodeURIComponent(password)}@127.0.0.1:${port}/${ROLE}`;
}
