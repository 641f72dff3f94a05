import { LicenseService } from '#libs/licensing';
import { diagnoseLicenseService } from '../../apps/cli/src/doctor/diagnose-license-service.js';
import { bothSides } from '../../apps/cli/src/sides/both-sides.js';
import { newId, order } from '../contract/license-service/license-service.contract.js';
import { KeygenStub } from '../support/licensing/keygen-stub.js';
import { startLocalLicenseService, type RunningLocalLicenseService } from '../support/licensing/license-service.js';

const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';

const diagnose = async (settings: Record<string, string>) => {
  const findings = await diagnoseLicenseService(bothSides.settings({ DATABASE_URL: NOWHERE, ...settings }));
  return findings.map(({ check, state, detail }) => `${check}: ${state}: ${detail}`);
};

describe('the doctor on the built-in license service', () => {
  let running: RunningLocalLicenseService;
  beforeAll(async () => {
    running = await startLocalLicenseService();
    await running.app.get(LicenseService).issue(order(newId()));
  });
  afterAll(() => running?.close());

  it('finds it well', async () => {
    expect(await diagnose({ DATABASE_URL: running.database.url })).toEqual([
      'license service: ok: built in',
      'editions map: ok: power-user, web-host, web-pro, web-admin',
    ]);
  });

  it('names an edition that was sold and is not configured any more', async () => {
    expect(await diagnose({ DATABASE_URL: running.database.url, EDITIONS: 'web-host' })).toEqual([
      'license service: ok: built in',
      'editions map: failed: licenses have editions that are not sold: power-user',
    ]);
  });

  it('fails both lines without the database', async () => {
    expect(await diagnose({})).toEqual([
      expect.stringMatching(/^license service: failed: built in: .+/),
      'editions map: failed: unknown without the database',
    ]);
  });
});

describe('the doctor on Keygen', () => {
  const [known, missing] = [newId(), newId()];
  const stub = new KeygenStub([known]);
  const settings = (change: Record<string, string> = {}) => ({
    LICENSE_SERVICE: 'keygen',
    KEYGEN_HOST: stub.origin,
    KEYGEN_ACCOUNT_ID: stub.accountId,
    KEYGEN_TOKEN: stub.token,
    EDITIONS: `power-user=${known}`,
    ...change,
  });
  beforeAll(() => stub.start());
  afterAll(() => stub.stop());
  beforeEach(() => stub.clearFaults());

  it('finds it well', async () => {
    expect(await diagnose(settings())).toEqual([
      `license service: ok: Keygen at ${new URL(stub.origin).host}`,
      'editions map: ok: power-user',
    ]);
  });

  it('names an edition whose policy is missing', async () => {
    const lines = await diagnose(settings({ EDITIONS: `power-user=${known},web-host=${missing}` }));
    expect(lines[1]).toBe('editions map: failed: web-host: its policy does not exist');
  });

  it('names an edition whose policy would date every license', async () => {
    const body = JSON.stringify({ data: { type: 'policies', attributes: { duration: 86_400 } } });
    stub.failNext(/^GET policies/, { kind: 'answer', acts: false, status: 200, body });
    expect((await diagnose(settings()))[1]).toBe('editions map: failed: power-user: its policy sets a duration');
  });

  it('fails with the status, and without the token, when Keygen refuses it', async () => {
    const lines = await diagnose(settings({ KEYGEN_TOKEN: 'prod-unknown' }));
    expect(lines[0]).toMatch(/^license service: failed: Keygen at .+: GET policies\/.+: 401$/);
    expect(lines.join()).not.toContain('prod-unknown');
  });
});
