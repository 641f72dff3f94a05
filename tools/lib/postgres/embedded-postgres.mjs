import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { postgresBinaries } from './postgres-binaries.mjs';
import { prepareCluster } from './postgres-cluster.mjs';
import { provideDatabase } from './postgres-role.mjs';
import { endOrphan, startServer } from './postgres-server.mjs';
import { isFree } from '../ports.mjs';
import { Refusal } from '../refusal.mjs';
import { ownFolder, serverAccount, strangersCanEnter } from './server-account.mjs';

/**
 * A real PostgreSQL server of our own: data in `<home>/data`, passwords in `<home>/credentials.json` (mode 0600).
 * The application's role `tenantry` is no superuser, so triggers and constraints bind it; it owns the database
 * `tenantry` and may create databases. A server that outlived a killed launcher is stopped first.
 *
 * @param {{ home: string, port: number, logFile: string, settings?: Record<string, string | number> }} options
 *   `settings` go to the server as `-c name=value`
 * @returns {Promise<{ url: string, pid: number, exited: Promise<string>, stop: () => Promise<void> }>}
 *   `url` connects as `tenantry`; `exited` says how the server ended, whoever ended it
 */
export async function startEmbeddedPostgres({ home, port, logFile, settings = {} }) {
  const account = serverAccount();
  if (!serverCanEnter(path.dirname(home)))
    throw new Refusal(`the database's account cannot enter ${home}: keep it under /var/tmp`);
  const { bin, major } = await postgresBinaries(account);
  ownFolder(home, account ? 0o711 : 0o700);
  const data = path.join(home, 'data');
  const credentials = credentialsOf(home, data);
  await prepareCluster({ bin, major, data, account, superuserPassword: credentials.superuserPassword });
  await endOrphan(data);
  if (!(await isFree(port)))
    throw new Refusal(
      `port ${port} for PostgreSQL is in use. Stop the program that listens there, or set POSTGRES_PORT`,
    );
  const server = await startServer({ bin, data, port, logFile, settings, account });
  try {
    return { ...server, url: await provideDatabase({ port, ...credentials }) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Whether the account that runs the server can reach this folder (as root that is another account). */
export const serverCanEnter = (folder) => !serverAccount() || strangersCanEnter(folder);

/** The passwords of this server, created before its first start. */
function credentialsOf(home, data) {
  const file = path.join(home, 'credentials.json');
  const cure = `restore it, or move ${home} away to start with an empty database`;
  if (!fs.existsSync(file)) {
    if (fs.existsSync(data)) throw new Refusal(`${file} is missing: ${cure}`);
    const secret = () => randomBytes(24).toString('base64url');
    fs.writeFileSync(file, JSON.stringify({ superuserPassword: secret(), password: secret() }), { mode: 0o600 });
  }
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Refusal(`${file} cannot be read (${error.code ?? 'not JSON'}): ${cure}`);
  }
}
