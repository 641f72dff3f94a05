import path from 'node:path';

/** The page printed at the end of `npm start`: all addresses and what to try first. */
export function welcome({ description, demoFile, databasePlace, engine, seconds }) {
  const { partnerApi, panelApi, docs, env, partners, identityProvider } = description;
  const rows = [
    ['Console', `${panelApi}/console`],
    ['Panel API', `${panelApi}/api/v1`],
    ['  reference', `${panelApi}/api/v1/docs`],
    ['Partner API', `${partnerApi}/v1`],
    ['  reference', docs],
    ['Sign-in', identityProvider && `${identityProvider} (an admin and a customer to try)`],
    ['Database', databasePlace],
    ['Engine', engine],
    ['Metrics', metricsOf(env)],
    ['Logs', path.join(description.folder, 'logs')],
    ['Credentials', `${demoFile} (tokens and keys)`],
  ];
  const lines = rows.filter(([, place]) => place).map(([what, place]) => `  ${what.padEnd(13)} ${place}`);
  return `
Tenantry is running after ${seconds} s. Ctrl-C stops it.

${lines.join('\n')}

Try:
${partners.length ? firstRequests(partnerApi, demoFile) : '  npm run cli -- partners create --name "First partner" --type reseller'}
  npm run cli -- --help
`;
}

/** One address and the other ports, because three addresses would not fit into a line of 80 characters. */
const metricsOf = (env) =>
  `http://127.0.0.1:${env.PARTNER_METRICS_PORT}/metrics, ports ${env.PANEL_METRICS_PORT} and ${env.WORKER_METRICS_PORT} too`;

/** The command reads the token from the file, which keeps it out of the terminal and the shell history. */
function firstRequests(partnerApi, demoFile) {
  const near = path.relative(process.cwd(), demoFile);
  const file = near.startsWith('..') ? demoFile : `./${near}`;
  return `  TOKEN=$(node -p "require('${file}').partners[0].writeToken")
  curl -s ${partnerApi}/v1/usage -H "Authorization: Bearer $TOKEN"
  npm run cli -- partners list`;
}
