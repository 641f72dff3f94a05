import { execFileSync } from 'node:child_process';
import path from 'node:path';

const WELCOME = path.resolve(__dirname, '../../tools/lib/instance/welcome.mjs');

describe('the welcome page of npm start', () => {
  const description = {
    partnerApi: 'http://127.0.0.1:3000',
    panelApi: 'http://127.0.0.1:3001',
    docs: 'http://127.0.0.1:3000/docs',
    identityProvider: 'http://127.0.0.1:3002',
    folder: '/opt/tenantry/.data',
    partners: [{}],
    env: { PARTNER_METRICS_PORT: '9464', PANEL_METRICS_PORT: '9465', WORKER_METRICS_PORT: '9466' },
  };
  const given = {
    description,
    demoFile: path.resolve('.data/demo.json'),
    databasePlace: '/opt/tenantry/.data/postgres (port 54320)',
    seconds: '12.3',
  };
  const page = execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { welcome } from ${JSON.stringify(WELCOME)}; console.log(welcome(${JSON.stringify(given)}));`,
    ],
    { encoding: 'utf8' },
  );

  it('names the console and the reference of both APIs', () => {
    for (const place of ['3001/console', '3001/api/v1/docs', '3000/docs']) expect(page).toContain(place);
  });

  it('fits into 80 columns, and its first request can be pasted', () => {
    // The folder of the credentials is as long as it is on this machine.
    const lines = page.split('\n').filter((line) => !line.includes(given.demoFile));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(page).toContain(`require('./.data/demo.json')`);
  });
});
