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
import { ROUTES, type Route } from './permission-table.js';

const SCOPES: (Scope[] | null)[] = [
  null,
  [],
  ['api_keys:*', 'services:*'],
  ['secrets:read', 'audit:read', 'services:read', 'deployments:read'],
  ['secrets:*', 'services:control'],
];
const DENIALS: Permission[][] = [[], ['api_keys:create', 'secrets:write', 'services:control'], [...PERMISSIONS]];
const ROLES: Role[] = ['admin', 'customer'];
/** Who created the key, and what it is bound to. */
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

/** The rules of the contract, independent of the code: role, scopes, denials, then the owner's permissions. */
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
  // An admin without an organisation has no secrets and no portal. An empty body is refused first.
  const isHomeless = credential.owner === 'admin' || credential.owner === 'bound admin';
  if (route.reach === 'home' && isHomeless && route.ok === 200) return 404;
  return route.ok;
}

describe('the permissions of a credential on each route', () => {
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

  /** A request with ids that do not exist. Sent without a socket, because there are thousands. */
  const ask = (name: string, key: string) => {
    const [method, path] = callOf(name);
    return api.app.inject({
      method: method as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      url: path,
      headers: { authorization: `Bearer ${key}` },
      ...(TAKES_BODY.has(method) ? { payload: {} } : {}),
    });
  };

  it('has a row for every route that is not public', () => {
    const guarded = operationsOf(api.app.get(OpenApiSource).document()).filter(
      ({ operation }) => (operation.security ?? []).length > 0,
    );
    const names = guarded.map(({ method, path }) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`);
    expect(names.sort()).toEqual(Object.keys(ROUTES).sort());
  });

  it.each(Object.entries(ROUTES))('%s answers every credential according to the table', async (name, route) => {
    const wrong: string[] = [];
    for (const credential of credentials()) {
      const { statusCode, headers } = await ask(name, keys.get(nameOf(credential))!);
      const expected = expectedStatus(credential, route);
      if (statusCode !== expected) wrong.push(`${nameOf(credential)}: ${statusCode}, not ${expected}`);
      if (headers['cache-control'] !== 'no-store') wrong.push(`${nameOf(credential)}: the answer may be kept`);
    }
    expect(wrong).toEqual([]);
  });

  it('covers more than a hundred combinations per route', () => {
    expect(credentials().length).toBe(105);
  });

  it('refuses requests without a credential on every route that is not public', async () => {
    for (const name of Object.keys(ROUTES)) {
      const [method, path] = callOf(name);
      const answer = await api.as(null).call(method, path, { body: TAKES_BODY.has(method) ? {} : undefined });
      expect([name, answer.status, answer.body.error.code]).toEqual([name, 401, 'unauthorized']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('shows a credential its permissions', async () => {
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

  it('gives a signed-in customer exactly its permissions in the organisation', async () => {
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
