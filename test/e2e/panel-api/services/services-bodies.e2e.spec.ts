import { randomUUID } from 'node:crypto';
import { anAdminKey } from '../../../support/builders/a-panel-user.js';
import type { Answer, HttpClient } from '../../../support/http/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const COMPOSE = 'services:\n  web:\n    image: nginx:1.27\n';

describe('the bodies of the routes of services', () => {
  let api: RunningPanelApi;
  let admin: HttpClient;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } });
    admin = api.as(await anAdminKey(api.app));
  });
  afterAll(() => api.close());

  it('are refused with every error of a compose file at once', async () => {
    const composeYaml = 'services:\n  web:\n    image: nginx\n    privileged: true\n    network_mode: host\n';
    const { status, body } = await admin.post('/api/v1/services', { name: 'bad', composeYaml });
    expect([status, body.error.code]).toEqual([422, 'compose_forbidden']);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['/services/web/privileged', '/services/web/network_mode']),
    );
    expect((await admin.get('/api/v1/services?search=bad')).body.pagination.total).toBe(0);
  });

  it.each([
    ['no name', { composeYaml: COMPOSE }, '/name'],
    ['an empty name', { name: ' ', composeYaml: COMPOSE }, '/name'],
    ['no compose file', { name: 'x' }, '/composeYaml'],
    ['a customerId that is no UUID', { name: 'x', composeYaml: COMPOSE, customerId: '7' }, '/customerId'],
    ['an unknown customer', { name: 'x', composeYaml: COMPOSE, customerId: randomUUID() }, '/customerId'],
    ['memory for nothing', { name: 'x', composeYaml: COMPOSE, resourceLimits: { memoryMb: 1 } }, '/memoryMb'],
    ['a variable that is not a string', { name: 'x', composeYaml: COMPOSE, variables: { A: 1 } }, '/variables/A'],
  ])('are refused with %s', async (_, request, path) => {
    const { status, body } = await admin.post('/api/v1/services', request);
    expect([status, body.error.details[0].path]).toEqual([422, expect.stringContaining(path)]);
  });

  it.each([
    ['a.b', '/variables/a.b'],
    ['a/b~c', '/variables/a~1b~0c'],
    ['~1', '/variables/~01'],
    ['', '/variables/'],
  ])('are refused with the pointer to a variable that is not a string, whatever its name: "%s"', async (name, path) => {
    const { body } = await admin.post('/api/v1/services', {
      name: 'x',
      composeYaml: COMPOSE,
      variables: { [name]: 1 },
    });
    const message = expect.stringContaining(`variables.${name} must be a string`);
    expect(body.error.details).toEqual([{ path, code: 'invalid_format', message }]);
  });

  it.each(['', '1A', 'A=B', 'A B', 'a.b', 'A-B', 'Ä', 'A\0', 'A\n'])(
    'refuse a variable that no file could use, by its name: %j',
    async (name) => {
      const variables = { A: 'a', [name]: 'b', _b2: 'c' };
      const { status, body } = await admin.post('/api/v1/services/validate', { composeYaml: COMPOSE, variables });
      expect([status, body.error.code]).toEqual([422, 'validation_failed']);
      const shown = name.replaceAll('\u0000', '\uFFFD');
      expect(body.error.message).toContain(`variables.${shown} must have a name of letters, digits and underscores`);
      expect(body.error.details).toHaveLength(1);
    },
  );

  it('are refused with invalid names and values of variables in one response', async () => {
    const variables = { A: 'a', B: 1, '2': 'b', '': null };
    const { body } = await admin.post('/api/v1/services/validate', { composeYaml: COMPOSE, variables });
    expect(body.error.message).toBe('variables: 3 of them cannot be used');
    const paths = body.error.details.map(({ path }: { path: string }) => path).sort();
    expect(paths).toEqual(['/variables/', '/variables/2', '/variables/B']);
  });

  it('are refused with a pointer to every error', async () => {
    const placesOf = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      expect(status).toBe(422);
      return body.error.details.map(({ path }: { path: string }) => path).sort();
    };
    const wrong = { name: '', customerId: 'x', variables: { A: 1 }, composeYaml: COMPOSE };
    expect(await placesOf(admin.post('/api/v1/services', wrong))).toEqual(['/customerId', '/name', '/variables/A']);
    const limits = { cpuCores: null, memoryMb: null, diskMb: null };
    expect(
      await placesOf(admin.post('/api/v1/services/validate', { composeYaml: COMPOSE, resourceLimits: limits })),
    ).toEqual(['/resourceLimits/cpuCores', '/resourceLimits/diskMb', '/resourceLimits/memoryMb']);
    expect(await placesOf(admin.get('/api/v1/services?status=nope&search=%00'))).toEqual(['/search', '/status']);
    expect(await placesOf(admin.get('/api/v1/audit?userId=x&organisationId=y'))).toEqual([
      '/organisationId',
      '/userId',
    ]);
  });

  it('are refused with a pointer to every variable that is not a string', async () => {
    const { body } = await admin.post('/api/v1/services', {
      name: 'x',
      composeYaml: COMPOSE,
      variables: { A: 1, B: 'b', C: null },
    });
    expect(body.error.message).toBe('variables: 2 of them must be strings');
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(['/variables/A', '/variables/C']);
  });

  it.each([
    ['a list', []],
    ['a body nested too deeply', { name: JSON.parse('['.repeat(70) + ']'.repeat(70)) as unknown }],
  ])('are refused with the empty pointer if the whole body is wrong: %s', async (_, request) => {
    const { status, body } = await admin.post('/api/v1/services', request);
    expect([status, body.error.details]).toEqual([
      422,
      [{ path: '', code: 'invalid_format', message: body.error.message }],
    ]);
    expect(body.error.message).toMatch(/^body must/);
  });

  it('are refused with the range of each invalid limit and a code in snake_case', async () => {
    const resourceLimits = { cpuCores: '1', memoryMb: 0.5, diskMb: 0 };
    const { body } = await admin.post('/api/v1/services', {
      name: 'x'.repeat(201),
      composeYaml: COMPOSE,
      resourceLimits,
    });
    const told = body.error.details.map(({ path, code, message }: Record<string, string>) => [path, code, message]);
    expect(told).toEqual([
      ['/name', 'too_long', 'name must have at most 200 characters'],
      ['/resourceLimits/cpuCores', 'invalid_type', 'cpuCores must be a number'],
      ['/resourceLimits/memoryMb', 'invalid_type', 'memoryMb must be a whole number'],
      ['/resourceLimits/diskMb', 'out_of_range', 'diskMb must not be less than 1'],
    ]);
  });

  it('can contain a compose file of 256 KiB and no larger one', async () => {
    const comment = (bytes: number) => `${COMPOSE}${`# ${'x'.repeat(9_997)}\n`.repeat(bytes / 5_000)}`.slice(0, bytes);
    const validate = (composeYaml: string) => admin.post('/api/v1/services/validate', { composeYaml });
    expect((await validate(comment(262_144))).status).toBe(200);
    expect((await validate(comment(262_145))).body.error).toMatchObject({ details: [{ path: '/composeYaml' }] });
    expect((await validate(comment(2_000_000))).body.error.code).toBe('payload_too_large');
    expect((await validate('services: {}')).body.error.details).toEqual([
      { path: '/services', code: 'invalid_format', message: 'It must not be empty.' },
    ]);
    const wrong = await validate(`${COMPOSE}    volumes: [${'/:/,'.repeat(3000)}]\n`);
    expect([wrong.status, wrong.body.error.code, wrong.body.error.details.length]).toEqual([
      ...[422, 'compose_forbidden', 3000],
    ]);
  });
});
