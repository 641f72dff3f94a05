import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { Refusal } from '../refusal.mjs';

/**
 * The instance's secrets, made once and kept (mode 0600). What the key ring has encrypted cannot be read without it,
 * so neither a broken file nor one that is missing beside data is replaced by a new one, unless asked to.
 * @returns {{ secretsKeys: string, oidcClientId: string, oidcClientSecret: string }}
 */
export function keptSecrets(file, { hasData, newKeys }) {
  if (!fs.existsSync(file)) {
    if (hasData && !newKeys)
      throw new Refusal(
        `${file} is missing beside existing data: restore it, or start with --new-keys and lose what was encrypted with ` +
          'it (variables and secrets of services, passwords of databases, secrets of push hooks and organisations, ' +
          'the license signing key, imported license keys, sign-in sessions)',
      );
    const secrets = {
      secretsKeys: `k1:${randomBytes(32).toString('base64')}`,
      oidcClientId: `tenantry-${randomBytes(6).toString('hex')}`,
      oidcClientSecret: randomBytes(32).toString('base64url'),
    };
    fs.writeFileSync(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
    fs.renameSync(`${file}.new`, file);
  }
  const secrets = readJson(file);
  if (secrets?.secretsKeys && secrets.oidcClientId && secrets.oidcClientSecret) return secrets;
  throw new Refusal(`${file} is broken: restore it, or move it away and lose what was encrypted with it`);
}

/** The content of a JSON file; undefined if it is missing or not JSON. */
export function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
