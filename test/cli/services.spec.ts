import { stripVTControlCharacters } from 'node:util';
import { describeWithEngine } from '../support/docker/engine.js';
import { engineHost, engineRequest } from '../support/docker/engine-http.js';
import { staffCli } from '../support/processes/staff-cli.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const STRANGER = 'bbbbbbbb-0000-4000-8000-000000000000';

describe('cli services reconcile', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const reconcile = (dockerHost: string, instance: string, ...more: string[]) =>
    staffCli({ DATABASE_URL: database.url, DOCKER_HOST: dockerHost, PANEL_INSTANCE: instance }, [
      ...['services', 'reconcile', ...more],
    ]);

  it('says in one line that no engine answers', async () => {
    const { code, out, err } = await reconcile('unix:///nowhere/docker.sock', 'cli');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^No Docker engine is responding.*\n$/);
  });

  describeWithEngine('with an engine', () => {
    it('tells what it saw and did', async () => {
      const instance = `cli-${process.pid}`;
      const calm = await reconcile(engineHost(), instance);
      expect([calm.code, calm.out]).toEqual([0, expect.stringContaining('No differences found.')]);
      const labels = { 'panel.service': STRANGER, 'panel.instance': instance };
      await engineRequest('POST', '/volumes/create', { body: { Name: `${STRANGER}_v`, Labels: labels } });
      try {
        const { code, json } = await reconcile(engineHost(), instance, '--json');
        expect(code).toBe(0);
        expect(json).toEqual([
          {
            serviceId: STRANGER,
            name: '',
            action: 'left alone',
            findings: [`volume ${STRANGER}_v belongs to no known service`],
          },
        ]);
        const env = { DATABASE_URL: database.url, DOCKER_HOST: engineHost(), PANEL_INSTANCE: instance };
        const table = async (...more: string[]) => {
          const args = ['services', 'reconcile', ...more];
          return stripVTControlCharacters((await staffCli(env, args, '', undefined, undefined, 80)).out).split('\n');
        };
        const narrow = await table();
        expect(Math.max(...narrow.map(({ length }) => length))).toBeLessThanOrEqual(80);
        expect(narrow.join('\n')).toContain('│ …000000000000 │');
        expect((await table('--wide')).join('\n')).toContain(STRANGER);
      } finally {
        await engineRequest('DELETE', `/volumes/${STRANGER}_v`);
      }
    });
  });
});
