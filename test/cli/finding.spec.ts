import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Staff } from '../support/billing/closing.js';
import { LiveWorld } from '../support/billing/live-world.js';
import { aCustomer, aKey, anAdminKey } from '../support/builders/a-panel-user.js';
import { FixedClock } from '../support/fixed-clock.js';
import { startPanelApi } from '../support/panel-api.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';
import { staffCli } from '../support/processes/staff-cli.js';

describe('what staff looks for', () => {
  const clock = new FixedClock('2026-06-01T08:00:00.000Z');
  const folder = mkdtempSync(path.join(tmpdir(), 'tenantry-export-'));
  let api: RunningPartnerApi;
  let staff: Staff;
  let world: LiveWorld;

  beforeAll(async () => {
    api = await startPartnerApi({ clock });
    staff = new Staff(api, clock);
    world = await LiveWorld.begin(api.app, clock);
    await world.sign({ id: 'cA', partner: 'A', model: 'per_instance_metered', currency: 'EUR', unitPriceCents: 3000 });
    await world.sign({ id: 'cB', partner: 'B', model: 'per_instance_metered', currency: 'EUR', unitPriceCents: 3000 });
    await world.issue('ref-1', 'cA');
    await world.issue('ref-2', 'cB');
  });
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const found = async (...args: string[]) => {
    const { code, json } = await staff.run(...args, '--json');
    expect(code).toBe(0);
    return json as { id: string; humanId: string; partnerId: string; partnerName: string; customerId: string }[];
  };

  it('is a license, by all that a caller may read out, with the partner that owns it', async () => {
    const [license] = await found('licenses', 'find', 'ref-1');
    expect(license).toMatchObject({ partnerId: world.partner('A').id, partnerName: expect.any(String) });
    for (const what of [license!.id, license!.humanId, license!.humanId.toLowerCase(), license!.customerId])
      expect(await found('licenses', 'find', what)).toEqual([license]);
    expect(await found('licenses', 'find', 'ref-1', '--partner', world.partner('B').id)).toEqual([]);
    expect(await found('licenses', 'find', license!.humanId, '--partner', world.partner('B').id)).toEqual([]);
    const table = await staff.run('licenses', 'find', 'ref-1');
    expect(table.out).toContain(license!.partnerName);
    expect((await staff.run('licenses', 'find', 'nothing')).out).toContain('No license found for nothing.');
  });

  it('is a customer, by number, id or part of the name', async () => {
    const [license] = await found('licenses', 'find', 'ref-1');
    const [customer] = await found('customers', 'find', license!.customerId);
    expect(customer).toMatchObject({ id: license!.customerId, partnerId: world.partner('A').id });
    expect(await found('customers', 'find', customer!.humanId)).toEqual([customer]);
    const { name } = customer as unknown as { name: string };
    expect(await found('customers', 'find', name.slice(1).toUpperCase(), '--partner', world.partner('A').id)).toEqual([
      customer,
    ]);
    expect(await found('customers', 'find', customer!.id, '--partner', world.partner('B').id)).toEqual([]);
    const blank = await staff.run('customers', 'find', ' ', '--json');
    expect([blank.code, blank.json.error.message]).toEqual([2, expect.stringContaining('what')]);
  });

  it('is a statement as a file, the bytes that the partner downloads', async () => {
    clock.set('2026-07-02T00:00:00.000Z');
    const partner = world.partner('A');
    const closed = await staff.finalize('2026-06', '--partner', partner.id, '--review');
    const [{ id }] = closed.json.finalized;
    const file = path.join(folder, 'june.csv');
    const { json } = await staff.statements('export', id, '--out', file);
    const written = readFileSync(file);
    expect(json).toMatchObject({ partnerId: partner.id, file, format: 'csv', bytes: written.length });
    expect(json.sha256).toBe(createHash('sha256').update(written).digest('hex'));
    const download = await api.as(partner.readToken).get(`/v1/statements/${id}/export?format=csv`);
    expect(written.toString()).toBe(download.text);
    const again = await staff.statements('export', id, '--out', file);
    expect([again.code, again.json.error.message]).toEqual([1, expect.stringContaining('EEXIST')]);
  });

  it('is a partner under a new name, which has the same rules as the first', async () => {
    const { id } = world.partner('B');
    const renamed = await staff.run('partners', 'rename', id, '--name', ' Birch Cloud ', '--json');
    expect(renamed.json).toMatchObject({ id, name: 'Birch Cloud' });
    const listed = await staff.run('partners', 'list', '--json');
    expect(listed.json).toContainEqual(renamed.json);
    const long = await staff.run('partners', 'rename', id, '--name', 'x'.repeat(201), '--json');
    expect([long.code, long.json.error.code]).toEqual([1, 'validation']);
    const unknown = await staff.run(
      'partners',
      'rename',
      '00000000-0000-4000-8000-000000000000',
      '--name',
      'x',
      '--json',
    );
    expect([unknown.code, unknown.json.error.code]).toEqual([1, 'not-found']);
  });

  it('is a service, with the organisation that it belongs to', async () => {
    const panel = await startPanelApi({
      database: api.database,
      settings: { DOCKER_HOST: 'unix:///nowhere/docker.sock' },
    });
    const { user, organisation } = await aCustomer(panel.app);
    const composeYaml = 'services:\n  web:\n    image: nginx:1.27\n';
    await panel.as(await anAdminKey(panel.app)).post('/api/v1/services', { name: 'ours', composeYaml });
    const theirs = panel.as(await aKey(panel.app, user, {}, organisation.id));
    await theirs.post('/api/v1/portal/services', { name: 'theirs', composeYaml });
    await panel.close();
    const list = async (...more: string[]) => {
      const { json } = await staffCli({ DATABASE_URL: api.database.url }, ['services', 'list', '--json', ...more]);
      return json;
    };
    expect(await list()).toMatchObject([
      { name: 'theirs', customerId: organisation.id, organisationName: organisation.name, status: 'pending' },
      { name: 'ours', customerId: null, organisationName: null },
    ]);
    expect(await list('--org', organisation.id)).toMatchObject([{ name: 'theirs' }]);
    expect(await list('--search', 'OUR', '--status', 'pending')).toMatchObject([{ name: 'ours' }]);
    expect(await list('--status', 'busy')).toMatchObject({ error: { code: expect.any(String) } });
    expect(await list('--org', '00000000-0000-4000-8000-000000000000')).toMatchObject({ error: { code: 'not-found' } });
  });
});
