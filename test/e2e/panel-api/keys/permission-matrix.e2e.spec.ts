import { operationsOf } from '#platform/openapi/operations';
import { OpenApiSource } from '#platform/openapi/openapi-source';
import { PERMISSIONS, permissionsOf, type Permission, type Role, type Scope } from '#libs/panel-auth';
import {
  aCustomer,
  aKey,
  anAdminKey,
  anOrganisation,
  aPanelUser,
  aSessionCookie,
} from '../../../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../../../support/panel-api.js';
import { backupRoutes } from './backup-routes.js';

type Reach = 'self' | 'binding' | 'home' | 'panel' | 'installation';

interface Route {
  readonly reach: Reach;
  /** Null where the route is about the caller itself. */
  readonly permission: Permission | null;
  /** The answer to an empty request of somebody who may: about nothing that exists, and with nothing in its body. */
  readonly ok: number;
}

const self = (ok: number): Route => ({ reach: 'self', permission: null, ok });
const binding = (permission: Permission, ok: number): Route => ({ reach: 'binding', permission, ok });
const home = (permission: Permission, ok: number): Route => ({ reach: 'home', permission, ok });
const panel = (permission: Permission, ok: number): Route => ({ reach: 'panel', permission, ok });
const installation = (permission: Permission, ok: number): Route => ({ reach: 'installation', permission, ok });

/** Every route that is not open to everybody, with what the contract says of it. */
const ROUTES: Readonly<Record<string, Route>> = {
  'GET /auth/me': self(200),
  // The sessions of a browser are no business of a key.
  'GET /auth/sessions': self(404),
  'DELETE /auth/sessions/{id}': self(404),
  'GET /permissions': self(200),
  'GET /api-keys/current': self(200),
  'GET /api-keys': binding('api_keys:read', 200),
  'POST /api-keys': binding('api_keys:create', 422),
  'DELETE /api-keys/{id}': binding('api_keys:delete', 404),
  'GET /secrets': home('secrets:read', 200),
  'POST /secrets': home('secrets:write', 422),
  'DELETE /secrets/{name}': home('secrets:write', 404),
  'GET /audit': installation('audit:read', 200),
  'GET /services': panel('services:read', 200),
  'POST /services': panel('services:create', 422),
  'POST /services/validate': panel('services:create', 422),
  'GET /services/metrics/summary': panel('services.metrics:read', 200),
  'GET /services/{id}': panel('services:read', 404),
  'PATCH /services/{id}': panel('services:update', 404),
  'GET /services/{id}/versions': panel('services:read', 404),
  'GET /services/{id}/source': panel('services.env:read', 404),
  'GET /services/{id}/deployments': panel('deployments:read', 404),
  'GET /deployments/{id}': panel('deployments:read', 404),
  'GET /deployments/{id}/log': panel('services.logs:read', 404),
  'GET /services/{id}/metrics': panel('services.metrics:read', 404),
  'GET /services/{id}/health': panel('services.metrics:read', 404),
  'GET /services/{id}/disk-usage': panel('services.metrics:read', 404),
  'GET /services/{id}/credentials': panel('services:read', 404),
  'POST /services/{id}/credentials/reveal': panel('credentials:reveal', 404),
  'POST /services/{id}/credentials/rotate': panel('credentials:reveal', 404),
  ...backupRoutes('', panel),
  'GET /templates': panel('templates:read', 200),
  'GET /templates/{id}': panel('templates:read', 404),
  'POST /templates/{id}/deploy': panel('templates:deploy', 422),
  'DELETE /services/{id}': panel('services:delete', 404),
  'POST /services/{id}/start': panel('services:control', 404),
  'POST /services/{id}/stop': panel('services:control', 404),
  'POST /services/{id}/restart': panel('services:control', 404),
  'POST /services/{id}/redeploy': panel('services:deploy', 404),
  'POST /services/{id}/rollback': panel('services:deploy', 422),
  'POST /services/{id}/suspend': panel('services:suspend', 404),
  'POST /services/{id}/unsuspend': panel('services:suspend', 404),
  'POST /services/{id}/reconcile': panel('services:deploy', 404),
  'POST /deployments/{id}/cancel': panel('deployments:cancel', 404),
  'POST /services/git': panel('services:create', 422),
  'POST /services/{id}/deploy': panel('services:deploy', 404),
  'POST /services/{id}/hook': panel('services:update', 404),
  'GET /services/{id}/hook': panel('services:read', 404),
  'DELETE /services/{id}/hook': panel('services:update', 404),
  'GET /services/{id}/hook-deliveries': panel('deployments:read', 404),
  'POST /services/{id}/hook-deliveries/{deliveryId}/redeliver': panel('services:deploy', 404),
  'GET /services/{id}/git-settings': panel('services:read', 404),
  'PATCH /services/{id}/git-settings': panel('services:update', 404),
  'GET /services/{id}/domains': panel('domains:read', 404),
  'POST /services/{id}/domains': panel('domains:write', 422),
  'PATCH /domains/{id}': panel('domains:write', 404),
  'POST /domains/{id}/verify': panel('domains:write', 404),
  'DELETE /domains/{id}': panel('domains:write', 404),
  'POST /analyze/github': panel('analysis:create', 422),
  'POST /analyze/gitlab': panel('analysis:create', 422),
  'POST /analyze/bitbucket': panel('analysis:create', 422),
  'POST /analyze/gitea': panel('analysis:create', 422),
  'GET /analyze/{id}': panel('analysis:read', 404),
  'POST /analyze/{id}/cancel': panel('analysis:create', 404),
  'GET /organisations': panel('org.members:read', 200),
  'POST /organisations': panel('org.members:write', 422),
  'GET /organisations/{id}': panel('usage:read', 404),
  'GET /organisations/{id}/members': panel('org.members:read', 404),
  'POST /organisations/{id}/members': panel('org.members:write', 422),
  'DELETE /organisations/{id}/members/{userId}': panel('org.members:write', 404),
  'GET /organisations/{id}/backup-key': panel('backups:read', 404),
  'PUT /organisations/{id}/backup-key': panel('org.members:write', 422),
  'GET /organisations/{id}/quota': panel('usage:read', 404),
  'PUT /organisations/{id}/quota': panel('org.members:write', 422),
  'GET /portal/services': home('services:read', 200),
  'POST /portal/services': home('services:create', 422),
  'POST /portal/services/validate': home('services:create', 422),
  'GET /portal/services/{id}': home('services:read', 404),
  'PATCH /portal/services/{id}': home('services:update', 404),
  'GET /portal/services/{id}/versions': home('services:read', 404),
  'GET /portal/services/{id}/source': home('services.env:read', 404),
  'GET /portal/services/{id}/deployments': home('deployments:read', 404),
  'GET /portal/deployments/{id}': home('deployments:read', 404),
  'GET /portal/deployments/{id}/log': home('services.logs:read', 404),
  'GET /portal/services/{id}/credentials': home('services:read', 404),
  'POST /portal/services/{id}/credentials/reveal': home('credentials:reveal', 404),
  'POST /portal/services/{id}/credentials/rotate': home('credentials:reveal', 404),
  ...backupRoutes('/portal', home),
  'GET /portal/backup-key': home('backups:read', 200),
  'PUT /portal/backup-key': home('backups:restore', 422),
  'GET /portal/templates': home('templates:read', 200),
  'GET /portal/templates/{id}': home('templates:read', 404),
  'POST /portal/templates/{id}/deploy': home('templates:deploy', 422),
  'DELETE /portal/services/{id}': home('services:delete', 404),
  'POST /portal/services/{id}/start': home('services:control', 404),
  'POST /portal/services/{id}/stop': home('services:control', 404),
  'POST /portal/services/{id}/restart': home('services:control', 404),
  'POST /portal/services/{id}/redeploy': home('services:deploy', 404),
  'POST /portal/services/{id}/rollback': home('services:deploy', 422),
  'POST /portal/services/{id}/reconcile': home('services:deploy', 404),
  'POST /portal/deployments/{id}/cancel': home('deployments:cancel', 404),
  'GET /portal/services/metrics/summary': home('services.metrics:read', 200),
  'GET /portal/services/{id}/metrics': home('services.metrics:read', 404),
  'GET /portal/services/{id}/health': home('services.metrics:read', 404),
  'GET /portal/services/{id}/disk-usage': home('services.metrics:read', 404),
  'POST /portal/services/git': home('services:create', 422),
  'POST /portal/services/{id}/deploy': home('services:deploy', 404),
  'POST /portal/services/{id}/hook': home('services:update', 404),
  'GET /portal/services/{id}/hook': home('services:read', 404),
  'DELETE /portal/services/{id}/hook': home('services:update', 404),
  'GET /portal/services/{id}/hook-deliveries': home('deployments:read', 404),
  'POST /portal/services/{id}/hook-deliveries/{deliveryId}/redeliver': home('services:deploy', 404),
  'GET /portal/services/{id}/git-settings': home('services:read', 404),
  'PATCH /portal/services/{id}/git-settings': home('services:update', 404),
  'GET /portal/services/{id}/domains': home('domains:read', 404),
  'POST /portal/services/{id}/domains': home('domains:write', 422),
  'PATCH /portal/domains/{id}': home('domains:write', 404),
  'POST /portal/domains/{id}/verify': home('domains:write', 404),
  'DELETE /portal/domains/{id}': home('domains:write', 404),
  'POST /portal/analyze/github': home('analysis:create', 422),
  'POST /portal/analyze/gitlab': home('analysis:create', 422),
  'POST /portal/analyze/bitbucket': home('analysis:create', 422),
  'POST /portal/analyze/gitea': home('analysis:create', 422),
  'GET /portal/analyze/{id}': home('analysis:read', 404),
  'POST /portal/analyze/{id}/cancel': home('analysis:create', 404),
  'GET /portal/members': home('org.members:read', 200),
  'GET /portal/usage': home('usage:read', 200),
};

const SCOPES: (Scope[] | null)[] = [
  null,
  [],
  ['api_keys:*', 'services:*'],
  ['secrets:read', 'audit:read', 'services:read', 'deployments:read'],
  ['secrets:*', 'services:control'],
];
const DENIALS: Permission[][] = [[], ['api_keys:create', 'secrets:write', 'services:control'], [...PERMISSIONS]];
const ROLES: Role[] = ['admin', 'customer'];
/** Who made the key, and what it is bound to. */
const OWNERS = ['admin', 'bound admin', 'customer', 'narrow customer', 'former customer'] as const;
type Owner = (typeof OWNERS)[number];

interface Credential {
  readonly owner: Owner;
  readonly role: Role;
  readonly scopes: Scope[] | null;
  readonly deny: Permission[];
}

const TAKES_BODY = new Set(['POST', 'PUT', 'PATCH']);
const NARROW: Permission[] = ['api_keys:read', 'secrets:read', 'services:read'];

/** The contract in a few lines, written without looking at the code: role, scopes, denials, then what the owner holds. */
function expectedStatus(credential: Credential, route: Route): number {
  if (route.reach === 'self') return route.ok;
  const isBound = credential.owner !== 'admin';
  if (route.reach === 'installation' && isBound) return 404;
  if (route.reach === 'panel' && credential.role !== 'admin') return isBound ? 404 : 403;
  const permission = route.permission!;
  const [resource] = permission.split(':');
  const inRole = permissionsOf(credential.role).has(permission);
  const inScopes =
    credential.scopes === null || credential.scopes.some((s) => s === permission || s === `${resource}:*`);
  const isDenied = credential.deny.includes(permission);
  const isHeld = {
    admin: true,
    'bound admin': true,
    customer: true,
    'narrow customer': NARROW.includes(permission),
    'former customer': false,
  }[credential.owner];
  if (!inRole || !inScopes || isDenied || !isHeld) return 403;
  // An admin of no organisation has no secrets and no portal; an empty body is looked at first.
  const isHomeless = credential.owner === 'admin' || credential.owner === 'bound admin';
  if (route.reach === 'home' && isHomeless && route.ok === 200) return 404;
  return route.ok;
}

describe('what a credential may do on each route', () => {
  let api: RunningPanelApi;
  const keys = new Map<string, string>();

  beforeAll(async () => {
    const settings = { API_KEYS_PER_CUSTOMER: '1000', API_KEYS_PER_ORGANISATION: '1000', LOG_LEVEL: 'error' };
    api = await startPanelApi({ settings });
    const organisation = await anOrganisation(api.app);
    const staff = await aPanelUser(api.app, 'admin');
    const whole = (await aCustomer(api.app, { organisation })).user;
    const narrow = (await aCustomer(api.app, { organisation })).user;
    const former = (await aCustomer(api.app, { organisation })).user;
    const users = {
      admin: staff,
      'bound admin': staff,
      customer: whole,
      'narrow customer': narrow,
      'former customer': former,
    };
    for (const credential of credentials()) {
      const { role, scopes, deny: permissionsDeny, owner } = credential;
      const bound = owner === 'admin' ? null : organisation.id;
      keys.set(nameOf(credential), await aKey(api.app, users[owner], { role, scopes, permissionsDeny }, bound));
    }
    const { Directory } = await import('#libs/panel-auth');
    const directory = api.app.get(Directory);
    await directory.addMember(narrow.id, organisation.id, 'customer', NARROW);
    await directory.removeMember(former.id, organisation.id);
  });
  afterAll(() => api?.close());

  /** A request about nothing that exists; without a socket, because there are thousands. */
  const ask = (name: string, key: string) => {
    const [method, path] = callOf(name);
    return api.app.inject({
      method: method as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      url: path,
      headers: { authorization: `Bearer ${key}` },
      ...(TAKES_BODY.has(method) ? { payload: {} } : {}),
    });
  };

  it('has a row for every route that is not open to everybody', () => {
    const guarded = operationsOf(api.app.get(OpenApiSource).document()).filter(
      ({ operation }) => (operation.security ?? []).length > 0,
    );
    const names = guarded.map(({ method, path }) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`);
    expect(names.sort()).toEqual(Object.keys(ROUTES).sort());
  });

  it.each(Object.entries(ROUTES))('%s answers every credential as the table says', async (name, route) => {
    const wrong: string[] = [];
    for (const credential of credentials()) {
      const { statusCode, headers } = await ask(name, keys.get(nameOf(credential))!);
      const expected = expectedStatus(credential, route);
      if (statusCode !== expected) wrong.push(`${nameOf(credential)}: ${statusCode}, not ${expected}`);
      if (headers['cache-control'] !== 'no-store') wrong.push(`${nameOf(credential)}: the answer may be kept`);
    }
    expect(wrong).toEqual([]);
  });

  it('covers a hundred and more combinations per route', () => {
    expect(credentials().length).toBe(105);
  });

  it('lets nobody in without a credential, on any route that is not public', async () => {
    for (const name of Object.keys(ROUTES)) {
      const [method, path] = callOf(name);
      const answer = await api.as(null).call(method, path, { body: TAKES_BODY.has(method) ? {} : undefined });
      expect([name, answer.status, answer.body.error.code]).toEqual([name, 401, 'unauthorized']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('tells a credential what it may do', async () => {
    const key = await aKey(api.app, await aPanelUser(api.app, 'admin'), {
      scopes: ['services:*'],
      permissionsDeny: ['services:delete'],
    });
    const { body } = await api.as(key).get('/api/v1/permissions');
    expect(body.permissions).toEqual(PERMISSIONS);
    expect(body.roles.customer).toHaveLength(PERMISSIONS.length - 2);
    expect(body.effective.every((name: string) => name.startsWith('services:') && name !== 'services:delete')).toBe(
      true,
    );
  });

  it('gives a signed-in customer what it holds in its organisation, and no more', async () => {
    const { user } = await aCustomer(api.app, { permissions: ['services:read', 'audit:read'] });
    const cookie = await aSessionCookie(api.app, user);
    expect((await api.as(null).get('/api/v1/permissions', { cookie })).body.effective).toEqual(['services:read']);
    expect((await api.as(null).get('/api/v1/audit', { cookie })).status).toBe(403);
    expect((await api.as(await anAdminKey(api.app)).get('/api/v1/audit')).status).toBe(200);
  });
});

function credentials(): Credential[] {
  return OWNERS.flatMap((owner) =>
    (owner.includes('admin') ? ROLES : (['customer'] as const)).flatMap((role) =>
      SCOPES.flatMap((scopes) => DENIALS.map((deny) => ({ owner, role, scopes, deny }))),
    ),
  );
}

function callOf(name: string): [method: string, path: string] {
  const [method = '', path = ''] = name.split(' ');
  return [method, `/api/v1${path.replace(/\{\w+\}/g, 'NOTHING')}`];
}

function nameOf({ owner, role, scopes, deny }: Credential): string {
  return `${role} key of ${owner}, scopes ${JSON.stringify(scopes)}, ${deny.length} denied`;
}
