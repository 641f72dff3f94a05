import { SECRETS_FOLDER } from '../../recipe.js';

export const PASSWORD_FILE = `${SECRETS_FOLDER}/password`;
export const PROBE_FILE = `${SECRETS_FOLDER}/probe.js`;

/**
 * Runs once, on an empty volume. A database does not exist until something is written to it, and its own user lets
 * clients connect with `authSource` of either database.
 */
export const INIT_SCRIPT = `const name = process.env.MONGO_INITDB_DATABASE;
const password = require('fs').readFileSync('${PASSWORD_FILE}', 'utf8');
const database = db.getSiblingDB(name);
database.createUser({ user: process.env.MONGO_INITDB_ROOT_USERNAME, pwd: password, roles: [{ role: 'dbOwner', db: name }] });
database.createCollection('panel_created');
`;

/** Reads the password from a file, so that it is not an argument. */
export const PROBE_SCRIPT = `try {
  const password = require('fs').readFileSync('${PASSWORD_FILE}', 'utf8');
  const admin = db.getSiblingDB('admin');
  admin.auth(process.env.MONGO_INITDB_ROOT_USERNAME, password);
  quit(admin.runCommand({ ping: 1 }).ok === 1 ? 0 : 2);
} catch (error) {
  quit(2);
}
`;
