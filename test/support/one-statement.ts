import pg from 'pg';

/** Runs one SQL statement on a new connection. */
export async function oneStatement(databaseUrl: string, text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(text, values).finally(() => client.end());
}
