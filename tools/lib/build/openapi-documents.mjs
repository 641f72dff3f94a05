import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from '../refusal.mjs';
import { run } from '../run.mjs';

const APIS = ['partner-api', 'panel-api'];

/** Required settings. Nothing connects to these addresses, which look like those of production. */
const SETTINGS = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  SECRETS_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  PARTNER_API_BASE_URL: 'https://partners.tenantry.example',
  PANEL_URL: 'https://panel.tenantry.example',
};

const fileOf = (root, api) => path.join(root, 'dist', 'openapi', `${api}.json`);

export const documentFiles = (root) => APIS.map((api) => fileOf(root, api));

/**
 * Writes the OpenAPI documents of both APIs below `dist/openapi`.
 * @returns both files
 */
export const writeDocuments = (root, signal) => Promise.all(APIS.map((api) => writeDocument(root, api, signal)));

/**
 * Writes the document of one API.
 * @returns the file
 */
export async function writeDocument(root, api, signal) {
  const file = fileOf(root, api);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const program = path.join(root, 'dist', 'apps', api, 'src', 'openapi', 'print-openapi.js');
  const options = { cwd: root, env: SETTINGS, signal, stdout: 'keep', stderr: 'keep' };
  const { code, stdout, stderr } = await run(process.execPath, [program], options);
  if (code !== 0) throw new Refusal(`the OpenAPI document of ${api} cannot be generated: ${stderr.trim()}`);
  fs.writeFileSync(file, stdout);
  return file;
}
