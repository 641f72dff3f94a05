import fs from 'node:fs';
import path from 'node:path';
import { developmentLog } from './readable-log.mjs';
import { untilReady } from './readiness.mjs';
import { lastWords, MODEST_HEAP } from './staff-cli.mjs';
import { startProcess } from './supervisor.mjs';

/**
 * Requests that wait for the database outlive Node's 16 MB for new objects and would be copied for nothing: see
 * docs/performance.md.
 */
const ROOM_FOR_REQUESTS = '--max-semi-space-size=64';
/**
 * Under load V8 would allocate waiting requests directly in the old generation, where they stay until the next full
 * collection.
 */
const NEW_STAYS_YOUNG = '--no-allocation-site-pretenuring';

/** The applications of an instance, each with its readiness URL. */
export function applicationsOf(root, env) {
  const application = (name, port) => ({
    name,
    program: path.join(root, 'dist', 'apps', name, 'src', 'main.js'),
    url: `http://127.0.0.1:${port}/readyz`,
  });
  return [
    { ...application('partner-api', env.PARTNER_API_PORT), flags: [ROOM_FOR_REQUESTS, NEW_STAYS_YOUNG] },
    { ...application('panel-api', env.PANEL_API_PORT), flags: [NEW_STAYS_YOUNG] },
    { ...application('worker', env.WORKER_METRICS_PORT), flags: [MODEST_HEAP] },
  ];
}

export const identityProvider = (root, env) => ({
  name: 'identity-provider',
  program: path.join(root, 'tools', 'demo-idp.mjs'),
  url: `${env.OIDC_ISSUER}/.well-known/openid-configuration`,
});

/**
 * Starts the applications together and waits until each is ready. Settings, secrets among them, go by the
 * environment, which other accounts cannot read, never by the command line, which they can.
 * @param {{ watch: boolean }} options `watch`: restarted when their files change, with their logs on this terminal
 */
export async function startApplications({ applications, supervisor, env, logs, watch, signal }) {
  const ofAll = ['--enable-source-maps', ...(watch ? ['--watch', '--watch-preserve-output'] : [])];
  const settings = { ...process.env, ...env };
  const shown = watch ? await developmentLog() : undefined;
  await Promise.all(
    applications.map(async ({ name, flags = [], program, url }) => {
      const log = shown ?? path.join(logs, `${name}.log`);
      await supervisor.start(name, async () =>
        startProcess({ args: [...ofAll, ...flags, program], env: settings, log }),
      );
      await untilReady(name, url, signal);
    }),
  );
}

/** The last lines of an application's log after it ended; they usually name the setting or server at fault. */
export function lastWordsOf(logs, name) {
  const log = path.join(logs, `${name}.log`);
  return fs.existsSync(log) ? `${lastWords(fs.readFileSync(log, 'utf8'))}; see ${log}` : 'see above';
}
