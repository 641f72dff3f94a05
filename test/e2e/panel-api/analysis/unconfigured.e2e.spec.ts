import { aCustomer, aKey, anAdminKey } from '../../../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

describe('the analysis of a repository on a panel without an AI provider', () => {
  let api: RunningPanelApi;

  beforeAll(async () => {
    api = await startPanelApi();
  });
  afterAll(() => api?.close());

  it('answers 503, for administrators and in the portal', async () => {
    const { user } = await aCustomer(api.app);
    const body = { repo_url: 'https://github.com/a/b' };
    for (const answer of [
      await api.as(await anAdminKey(api.app)).post('/api/v1/analyze/github', body),
      await api.as(await aKey(api.app, user)).post('/api/v1/portal/analyze/github', body),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([503, 'ai_provider_unconfigured']);
  });

  it('reports errors in the request first', async () => {
    const admin = api.as(await anAdminKey(api.app));
    const mismatch = await admin.post('/api/v1/analyze/gitlab', { repo_url: 'https://github.com/a/b' });
    expect([mismatch.status, mismatch.body.error.code]).toEqual([422, 'git_host_mismatch']);
  });
});
