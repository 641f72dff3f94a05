import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Refusal } from '../refusal.mjs';

const run = promisify(execFile);

/** The environment of PostgreSQL's programs: messages in English, time zone UTC, none of the caller's settings. */
export const SERVER_ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' };

/**
 * Creates the data directory at the first start, and refuses one that this server cannot use. It is created in a
 * temporary place and moved as a whole, so an interrupted start leaves nothing half done.
 */
export async function prepareCluster({ bin, major, data, account, superuserPassword }) {
  if (fs.existsSync(data)) return refuseUnusable(data, major);
  const unfinished = `${data}.unfinished`;
  const passwordFile = `${data}.password`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.rmSync(passwordFile, { force: true });
  fs.mkdirSync(unfinished, { mode: 0o700 });
  fs.writeFileSync(passwordFile, `${superuserPassword}\n`, { mode: 0o600 });
  if (account) for (const made of [unfinished, passwordFile]) fs.chownSync(made, account.uid, account.gid);
  try {
    await run(path.join(bin, 'initdb'), [...INITDB, `--pwfile=${passwordFile}`, '-D', unfinished], {
      ...account,
      env: SERVER_ENVIRONMENT,
      cwd: '/',
    });
  } catch (error) {
    throw new Refusal(
      `PostgreSQL could not create its data in ${path.dirname(data)}: ${error.stderr || error.message}`,
    );
  } finally {
    fs.rmSync(passwordFile);
  }
  fs.renameSync(unfinished, data);
}

const INITDB = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C.UTF-8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

function refuseUnusable(data, major) {
  const file = path.join(data, 'PG_VERSION');
  const cure = `restore it from a backup, or move ${path.dirname(data)} away to start with an empty database`;
  const found = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '';
  if (!/^\d+(\.\d+)?$/.test(found)) throw new Refusal(`${data} is not a usable PostgreSQL data directory: ${cure}`);
  if (found !== major)
    throw new Refusal(`${data} was created by PostgreSQL ${found}, and this is PostgreSQL ${major}: ${cure}`);
}
