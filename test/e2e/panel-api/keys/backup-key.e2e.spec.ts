import { aKey, anAdminKey, aCustomer } from '../../../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';

const KEY = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';

describe('the public key of an organisation for backups', () => {
  let api: RunningPanelApi;
  beforeAll(async () => (api = await startPanelApi()));
  afterAll(() => api.close());

  it('is set, read, recorded in the audit log and removed; an invalid key is refused and changes nothing', async () => {
    const admin = api.as(await anAdminKey(api.app));
    const { organisation } = await aCustomer(api.app);
    const path = `/api/v1/organisations/${organisation.id}/backup-key`;
    expect((await admin.get(path)).body).toEqual({ publicKey: null });
    expect((await admin.call('PUT', path, { body: { publicKey: KEY } })).body).toEqual({ publicKey: KEY });
    for (const publicKey of [`${KEY.slice(0, -1)}q`, 'ssh-ed25519 AAAA', '', 7]) {
      const refused = await admin.call('PUT', path, { body: { publicKey } });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([422, '/publicKey']);
    }
    expect((await admin.get(path)).body).toEqual({ publicKey: KEY });
    expect((await admin.get('/api/v1/audit?action=backup_key.set')).body.data).toHaveLength(1);
    expect((await admin.call('PUT', path, { body: { publicKey: null } })).body).toEqual({ publicKey: null });
    expect((await admin.get(path)).body).toEqual({ publicKey: null });
  });

  it('can be managed by the organisation itself in the portal', async () => {
    const [{ user, organisation }, other] = [await aCustomer(api.app), await aCustomer(api.app)];
    const customer = api.as(await aKey(api.app, user));
    const path = '/api/v1/portal/backup-key';
    expect((await customer.call('PUT', path, { body: { publicKey: KEY } })).body).toEqual({ publicKey: KEY });
    expect((await customer.call('PUT', path, { body: { publicKey: 'age1' } })).status).toBe(422);
    expect((await customer.get(path)).body).toEqual({ publicKey: KEY });
    expect((await api.as(await aKey(api.app, other.user)).get(path)).body).toEqual({ publicKey: null });
    const admin = api.as(await anAdminKey(api.app));
    const ofOrganisation = `/api/v1/organisations/${organisation.id}/backup-key`;
    expect((await admin.get(ofOrganisation)).body).toEqual({ publicKey: KEY });
  });
});
