import fs from 'node:fs';
import { Refusal } from '../refusal.mjs';
import { readJson } from './secrets.mjs';

export const NO_DEMO_DATA = { partners: [], contracts: [], customers: [], panelAdminKey: null };

/** The demo data recorded by an earlier start; undefined if there is none. */
export function notedDemoData(file) {
  if (!fs.existsSync(file)) return NO_DEMO_DATA;
  const { partners, contracts, customers, panelAdminKey } = readJson(file) ?? {};
  if (![partners, contracts, customers].every(Array.isArray))
    throw new Refusal(`${file} is broken: remove it, and the next start makes new demo data`);
  return { partners, contracts, customers, panelAdminKey };
}

/**
 * Whether this database contains the recorded demo data. It does not if it is another or a new database: then the
 * recorded token is refused. Any other response proves nothing.
 */
export async function isKnown(demo, partnerApi) {
  const [partner] = demo.partners;
  if (!partner) return false;
  const answer = await fetch(`${partnerApi}/v1/me`, { headers: { authorization: `Bearer ${partner.writeToken}` } });
  await answer.arrayBuffer();
  return answer.status !== 401;
}

/** What people and scripts need to use this instance. */
export const describe = ({ env, demo, folder, withIdp }) => ({
  partnerApi: env.PARTNER_API_BASE_URL,
  panelApi: env.PANEL_URL,
  docs: `${env.PARTNER_API_BASE_URL}/docs`,
  databaseUrl: env.DATABASE_URL,
  env,
  ...demo,
  identityProvider: withIdp ? env.OIDC_ISSUER : null,
  folder,
});

/** Writes the file atomically, readable only by its owner from the first byte on. */
export function writeDescription(file, description) {
  fs.rmSync(`${file}.new`, { force: true });
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}
