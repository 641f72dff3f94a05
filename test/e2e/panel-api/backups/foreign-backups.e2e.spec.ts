import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { Organisation } from '#libs/panel-auth';
import {
  aCustomer,
  aKey,
  anAdminKey,
  anOrganisation,
  aPanelUser,
  aSessionCookie,
} from '../../../support/builders/a-panel-user.js';
import { connectMcp, type McpClient } from '../../../support/mcp/mcp-client.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';
import { backupRoutes } from '../keys/backup-routes.js';

const POLICY = { schedule: null, keepDaily: 1, keepWeekly: 1, keepMonthly: 1, verify: 'always', pitr: true };
const CONTENT = Buffer.from('what only its owner may read');
/** Differs from answer to answer, whatever was asked. */
const REQUEST = /"requestId":"[^"]+"/;

/** A database of an organisation, with a backup and a restore of it. */
interface Owned {
  readonly name: string;
  readonly service: string;
  readonly backup: string;
  readonly restore: string;
  readonly storeKey: string;
}

describe('the backups of another organisation', () => {
  let api: RunningPanelApi;
  let sql: pg.Client;
  let folder: string;
  let attacker: Organisation;
  let [own, foreign]: Owned[] = [];
  const areas: { readonly area: string; readonly who: string; readonly headers: Record<string, string> }[] = [];
  let mcp: McpClient;
  let victimMcp: McpClient;

  async function aDatabase(owner: Organisation, name: string): Promise<Owned> {
    const admin = api.as(await anAdminKey(api.app));
    const templates = (await admin.get('/api/v1/templates')).body.data as { id: string; slug: string }[];
    const template = templates.find(({ slug }) => slug === 'postgresql')!.id;
    const variables = { SERVICE_NAME: name, DB_NAME: 'shop', DB_USER: 'shop' };
    const deployed = await admin.post(`/api/v1/templates/${template}/deploy`, {
      name,
      customerId: owner.id,
      variables,
    });
    const service = deployed.body.serviceId as string;
    const [backup, restore] = [randomUUID(), randomUUID()];
    const storeKey = `services/${service}/${backup}.age`;
    mkdirSync(path.join(folder, path.dirname(storeKey)), { recursive: true });
    writeFileSync(path.join(folder, storeKey), CONTENT);
    const limits = { cpuCores: 0.5, memoryMb: 512, diskMb: 1024 };
    const origin = {
      serviceName: name,
      template: 'postgresql',
      hostName: 'db',
      database: 'shop',
      user: 'shop',
      ...limits,
    };
    await sql.query(
      `insert into backups.backups (id, service_id, customer_id, kind, trigger, status, origin, store_key, size_bytes, sha256,
         verification, created_at, finished_at)
       values ($1, $2, $3, 'dump', 'manual', 'succeeded', $4, $5, $6, $7, '{"status": "verified", "attempts": 1}', now(), now())`,
      [
        ...[backup, service, owner.id, JSON.stringify({ ...origin, image: 'library/postgres:16-bookworm' }), storeKey],
        ...[CONTENT.length, createHash('sha256').update(CONTENT).digest('hex')],
      ],
    );
    await sql.query(
      `insert into backups.restores (id, backup_id, service_id, customer_id, target_id, into_service, status, actor, created_at)
       values ($1, $2, $3, $4, $3, 'same', 'succeeded', '{"userId": null, "apiKeyId": null}', now())`,
      [restore, backup, service, owner.id],
    );
    return { name, service, backup, restore, storeKey };
  }

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'foreign-backups-'));
    const settings = { DOCKER_HOST: 'unix:///nowhere/docker.sock', LOG_LEVEL: 'error', BACKUP_DIR: folder };
    api = await startPanelApi({ settings });
    sql = new pg.Client({ connectionString: api.database.url });
    await sql.connect();
    const parent = await anOrganisation(api.app);
    attacker = await anOrganisation(api.app, parent.id);
    const victim = await anOrganisation(api.app, parent.id);
    [own, foreign] = [await aDatabase(attacker, 'own'), await aDatabase(victim, 'foreign')];
    const { user } = await aCustomer(api.app, { organisation: attacker });
    const key = await aKey(api.app, user);
    const session = { cookie: await aSessionCookie(api.app, user), 'sec-fetch-site': 'same-origin' };
    const bound = await aKey(api.app, await aPanelUser(api.app, 'admin'), {}, attacker.id);
    areas.push({ area: '/api/v1/portal', who: 'a key', headers: { authorization: `Bearer ${key}` } });
    areas.push({ area: '/api/v1/portal', who: 'a session', headers: session });
    areas.push({ area: '/api/v1', who: 'a bound key', headers: { authorization: `Bearer ${bound}` } });
    mcp = await connectMcp(api.url, '/mcp/tenant', key);
    const victimUser = (await aCustomer(api.app, { organisation: victim })).user;
    victimMcp = await connectMcp(api.url, '/mcp/tenant', await aKey(api.app, victimUser));
  });
  afterAll(async () => {
    await mcp?.close();
    await victimMcp?.close();
    await sql?.end();
    await api?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const records = async () => {
    const tables = [
      'backups.backups',
      'backups.restores',
      'backups.policies',
      'services.services',
      'services.deployments',
    ];
    const all = await Promise.all(tables.map((table) => sql.query(`select * from ${table} order by 1`)));
    return { rows: all.map(({ rows }) => rows), file: readFileSync(path.join(folder, foreign!.storeKey)) };
  };
  /** @param body may say what the ids of the route do not */
  const ask = async (route: string, id: string, headers: Record<string, string>, body: object = {}, query = '') => {
    const [method, url] = route.split(' ') as ['GET', string];
    const bodies: Record<string, object> = {
      'backup-policy': POLICY,
      restore: { backupId: foreign!.backup, into: 'new', ...body },
      clone: { name: 'copy' },
    };
    const payload = method === 'GET' ? undefined : bodies[url.split('/').at(-1)!];
    const answer = await api.app.inject({ method, url: url.replace('{id}', id) + query, headers, payload });
    return { status: answer.statusCode, body: answer.body.replace(REQUEST, '') };
  };

  it('is for nobody else: each route answers as for an id that does not exist, and nothing changes', async () => {
    const before = await records();
    const wrong: string[] = [];
    for (const { area, who, headers } of areas)
      for (const route of Object.keys(backupRoutes(area, () => null))) {
        const expected = await ask(route, randomUUID(), headers);
        expect([who, route, expected.status]).toEqual([who, route, 404]);
        for (const id of [foreign!.service, foreign!.backup, foreign!.restore])
          for (const query of route.endsWith('/download') ? ['', '?sealed=true'] : ['']) {
            const told = await ask(route, id, headers, {}, query);
            if (JSON.stringify(told) !== JSON.stringify(expected)) wrong.push(`${who}: ${route}${query}: ${told.body}`);
          }
      }
    expect(wrong).toEqual([]);
    expect(await records()).toEqual(before);
  });

  it('comes into no service of its own: a restore of it is not found', async () => {
    const before = await records();
    for (const { area, headers } of areas)
      for (const body of [{ into: 'new' }, { into: 'same', confirm: own!.name }]) {
        const route = `POST ${area}/services/{id}/restore`;
        const expected = await ask(route, own!.service, headers, { ...body, backupId: randomUUID() });
        expect(expected.status).toBe(404);
        expect(await ask(route, own!.service, headers, body)).toEqual(expected);
      }
    expect(await records()).toEqual(before);
  });

  it('is in no list, while the own one is', async () => {
    for (const { area, headers } of areas) {
      const backups = await ask(`GET ${area}/services/{id}/backups`, own!.service, headers);
      expect(JSON.parse(backups.body).data.map(({ id }: { id: string }) => id)).toEqual([own!.backup]);
      const restores = await ask(`GET ${area}/services/{id}/restores`, own!.service, headers);
      expect(JSON.parse(restores.body).data.map(({ restoreId }: { restoreId: string }) => restoreId)).toEqual([
        own!.restore,
      ]);
      const sealed = await ask(`GET ${area}/backups/{id}/download`, own!.backup, headers, {}, '?sealed=true');
      expect(sealed).toEqual({ status: 200, body: CONTENT.toString() });
    }
  });

  it('is out of reach by MCP, with the own service and the foreign one, and with a plan that its owner has made', async () => {
    const before = await records();
    const plan = { kind: 'restore', into: 'new' };
    const theirs = await victimMcp.call('plan_change', {
      ...plan,
      serviceId: foreign!.service,
      backupId: foreign!.backup,
    });
    expect(theirs.isError).toBe(false);
    const calls: [string, Record<string, unknown>][] = [
      ['list_backups', { serviceId: foreign!.service }],
      ['create_backup', { serviceId: foreign!.service }],
      ...[own!, foreign!].map(({ service }): [string, Record<string, unknown>] => [
        'plan_change',
        { ...plan, serviceId: service, backupId: foreign!.backup },
      ]),
      ['apply_change', { planId: theirs.body.planId, confirm: true }],
    ];
    for (const [tool, args] of calls) {
      const answer = await mcp.call(tool, args);
      expect([tool, answer.isError, answer.body.code]).toEqual([tool, true, 'not_found']);
    }
    expect(await records()).toEqual(before);
  });
});
