import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from './refusal.mjs';
import { run } from './run.mjs';

const APIS = ['partner-api', 'panel-api'];

/** Nothing is connected to, but a process wants its settings. Addresses are as in production. */
const SETTINGS = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  SECRETS_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  PARTNER_API_BASE_URL: 'https://partners.tenantry.example',
  PANEL_URL: 'https://panel.tenantry.example',
};

export const documentFiles = (root) => APIS.map((api) => path.join(root, 'dist', 'openapi', `${api}.json`));

/** Writes the OpenAPI documents of both APIs below `dist/openapi`. */
export async function writeDocuments(root, signal) {
  fs.mkdirSync(path.join(root, 'dist', 'openapi'), { recursive: true });
  await Promise.all(
    documentFiles(root).map(async (file, i) => {
      const program = path.join(root, 'dist', 'apps', APIS[i], 'src', 'openapi', 'print-openapi.js');
      const options = { cwd: root, env: SETTINGS, signal, stdout: 'keep', stderr: 'keep' };
      const { code, stdout, stderr } = await run(process.execPath, [program], options);
      if (code !== 0) throw new Refusal(`the OpenAPI document of ${APIS[i]} cannot be made: ${stderr.trim()}`);
      fs.writeFileSync(file, stdout);
    }),
  );
}
