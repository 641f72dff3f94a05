import { anAdminKey } from '../../../support/builders/a-panel-user.js';
import type { HttpClient } from '../../../support/http/http-client.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const SECRET = 'canary-of-the-refused-bodies';
const REPOSITORY = 'https://git.example.com/acme/shop.git';

describe('bodies of services from repositories', () => {
  let api: RunningPanelApi;
  let admin: HttpClient;

  beforeAll(async () => {
    api = await startPanelApi({ settings: { DOCKER_HOST: 'unix:///nowhere/docker.sock', NIXPACKS_PATH: '/nowhere' } });
    admin = api.as(await anAdminKey(api.app));
  });
  afterAll(() => api?.close());

  const create = (given: object) =>
    admin.post('/api/v1/services/git', { name: 'x', git_repo_url: REPOSITORY, ...given });

  it('are refused with the name of every invalid field and without secrets', async () => {
    const { status, body } = await create({
      git_repo_url: `https://me:${SECRET}@github.com/a/b`,
      git_branch: '--upload-pack=x',
      base_directory: '../etc',
      deploy_key: 'no key',
      port: 70_000,
      volumes: [{ name: '../x', path: 'relative' }],
    });
    expect(status).toBe(422);
    const { details } = (body as { error: { details: { path: string }[] } }).error;
    const wrong = ['base_directory', 'deploy_key', 'git_branch', 'git_repo_url'];
    expect(details.map(({ path }) => path).sort()).toEqual([...wrong, 'port', 'volumes'].map((name) => `/${name}`));
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  it('are refused if the required builder is not available', async () => {
    const withSecret = await create({ build_secrets: { TOKEN: SECRET } });
    expect([withSecret.status, withSecret.body.error.code]).toEqual([422, 'builder_unavailable']);
    expect(withSecret.body.error.details).toMatchObject([
      { path: '/build_secrets', message: expect.stringMatching(/BUILD_BUILDKIT/) },
    ]);
    const withNixpacks = await create({ build_method: 'nixpacks' });
    expect([withNixpacks.status, withNixpacks.body.error.code]).toEqual([422, 'builder_unavailable']);
    expect(withSecret.text + api.logs()).not.toContain(SECRET);
  });
});
