import pg from 'pg';

/** Every row of every table as text, with bytes in hexadecimal: what a thief of the database would see. */
export async function databaseDump(url: string): Promise<string> {
  return [...(await tableDumps(url))].flat().join('\n');
}

/** Like `databaseDump`, by table (`schema.table`). */
export async function tableDumps(url: string): Promise<ReadonlyMap<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const dumps = new Map<string, string>();
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      dumps.set(name, rows.map(({ row }) => row).join('\n'));
    }
    return dumps;
  } finally {
    await client.end();
  }
}

/** The encodings in which a secret could appear in a dump. */
export function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}
