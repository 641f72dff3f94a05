/**
 * Ends sessions of other clients: they may hold tables that are to be replaced.
 * @param which a condition on `information_schema.processlist`
 */
export async function endSessions(run: (sql: string) => Promise<string>, which: string): Promise<void> {
  const sql = `select id from information_schema.processlist where (${which}) and id <> connection_id();`;
  const ids = (await run(sql)).split('\n').filter((id) => /^\d+$/.test(id));
  // One may have ended by itself meanwhile.
  for (const id of ids) await run(`kill ${id};`).catch(() => undefined);
}
