import { readEnv } from '#platform/config/read-env';
import { panelApiSettings } from './panel-api.config.js';

const NEEDED = {
  DATABASE_URL: 'postgres://tenantry@127.0.0.1/tenantry',
  SECRETS_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
};

describe('the settings of the panel', () => {
  it('have defaults for all but the database and its keys', () => {
    expect(readEnv(panelApiSettings, NEEDED)).toMatchObject({ PANEL_URL: 'http://127.0.0.1:3001' });
  });

  it.each([
    [{ FRONTEND_CALLBACK_URL: 'javascript:1' }, 'FRONTEND_CALLBACK_URL: must be an http(s) URL'],
    [{ PANEL_URL: 'panel.example.com' }, 'PANEL_URL: must be an http(s) URL'],
    [{ PANEL_URL: 'https://panel.example.com/x?y' }, 'PANEL_URL: must have no user name, query or fragment'],
    [{ PANEL_URL: 'https://u:p@panel.example.com' }, 'PANEL_URL: must have no user name, query or fragment'],
    [{ OIDC_ADMIN_EMAILS: 'ada@example.com nobody' }, 'OIDC_ADMIN_EMAILS: must be e-mail addresses'],
  ])('refuse %j', (env, told) => {
    expect(() => readEnv(panelApiSettings, { ...NEEDED, ...env })).toThrow(told);
  });
});
