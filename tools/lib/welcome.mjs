import path from 'node:path';

/** The page that `npm start` ends with: where everything is and what to try first. */
export function welcome({ description, demoFile, databasePlace, seconds }) {
  const { partnerApi, panelApi, docs, env, partners, identityProvider } = description;
  const rows = [
    ['Partner API', `${partnerApi}/v1`, `reference: ${docs}`],
    ['Panel API', `${panelApi}/api/v1`, identityProvider ? `sign in: ${panelApi}/api/v1/auth/oidc/login` : ''],
    ['Identity provider', identityProvider, 'local, for trying only: an admin and a customer, one click each'],
    ['Database', databasePlace, ''],
    ['Metrics', metricsOf(env), ''],
    ['Logs', path.join(description.folder, 'logs'), ''],
    ['Credentials', demoFile, 'tokens, keys and settings; only your account can read it'],
  ];
  const lines = rows.filter(([, place]) => place).map(([what, place, note]) => row(what, place, note));
  return `
Tenantry is running after ${seconds} s. Ctrl-C stops it.

${lines.join('\n')}

Try:
${partners.length ? firstRequests(partnerApi, demoFile) : '  npm run cli -- partners create --name "First partner" --type reseller'}
  npm run cli -- --help
`;
}

const row = (what, place, note) => `  ${what.padEnd(18)} ${note ? `${place.padEnd(38)} ${note}` : place}`;

const metricsOf = (env) =>
  [env.PARTNER_METRICS_PORT, env.PANEL_METRICS_PORT, env.WORKER_METRICS_PORT]
    .map((port) => `http://127.0.0.1:${port}/metrics`)
    .join(' ');

/** The token is read from the file when the line runs, so that it is in no scroll-back and no shell history. */
function firstRequests(partnerApi, demoFile) {
  const token = `$(node -p "require('${demoFile}').partners[0].writeToken")`;
  return `  curl -s ${partnerApi}/v1/me -H "Authorization: Bearer ${token}"
  npm run cli -- partners list`;
}
