import fs from 'node:fs';
import path from 'node:path';
import { developmentLog } from './readable-log.mjs';
import { untilReady } from './readiness.mjs';
import { lastWords, MODEST_HEAP } from './staff-cli.mjs';
import { startProcess } from './supervisor.mjs';

/**
 * Requests that wait for the database outlive the 16 MB that Node gives to what is new, and are copied for nothing: see
 * docs/performance.md.
 */
const ROOM_FOR_REQUESTS = '--max-semi-space-size=64';
/** V8 would make old at birth what waits for the database under load: it would stay until the next full collection. */
const NEW_STAYS_YOUNG = '--no-allocation-site-pretenuring';

/** The applications of an instance: what runs, and the URL that says it is ready. */
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

/** The last words of an application that ended, from its log; they usually name the setting or server at fault. */
export function lastWordsOf(logs, name) {
  const log = path.join(logs, `${name}.log`);
  return fs.existsSync(log) ? `${lastWords(fs.readFileSync(log, 'utf8'))}; see ${log}` : 'see above';
}
