import { PERMISSIONS, permissionsOf, type Permission, type Role, type Scope } from '#libs/panel-auth';
import {
  aCustomer,
  aKey,
  anAdminKey,
  anOrganisation,
  aPanelUser,
  aSessionCookie,
} from '../../support/builders/a-panel-user.js';
import { startPanelApi, type RunningPanelApi } from '../../support/panel-api.js';

type Reach = 'self' | 'binding' | 'home' | 'installation';

/** The routes of this panel, with what the contract says of each. `ok` is the answer to somebody who may. */
const ROUTES: { call: [string, string, object?]; permission: Permission | null; reach: Reach; ok: number }[] = [
  { call: ['GET', '/auth/me'], permission: null, reach: 'self', ok: 200 },
  { call: ['GET', '/auth/sessions'], permission: null, reach: 'self', ok: 200 },
  { call: ['GET', '/permissions'], permission: null, reach: 'self', ok: 200 },
  { call: ['GET', '/api-keys'], permission: 'api_keys:read', reach: 'binding', ok: 200 },
  { call: ['POST', '/api-keys', {}], permission: 'api_keys:create', reach: 'binding', ok: 422 },
  { call: ['DELETE', '/api-keys/nothing'], permission: 'api_keys:delete', reach: 'binding', ok: 404 },
  { call: ['GET', '/secrets'], permission: 'secrets:read', reach: 'home', ok: 200 },
  { call: ['POST', '/secrets', {}], permission: 'secrets:write', reach: 'home', ok: 422 },
  { call: ['DELETE', '/secrets/NOTHING'], permission: 'secrets:write', reach: 'home', ok: 404 },
  { call: ['GET', '/audit'], permission: 'audit:read', reach: 'installation', ok: 200 },
];

const SCOPES: (Scope[] | null)[] = [null, [], ['api_keys:*'], ['secrets:read', 'audit:read'], ['secrets:*']];
const DENIALS: Permission[][] = [[], ['api_keys:create', 'secrets:write'], [...PERMISSIONS]];
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

const NARROW: Permission[] = ['api_keys:read', 'secrets:read'];

/** The contract in a few lines, written without looking at the code: role, scopes, denials, then what the owner holds. */
function expectedStatus(credential: Credential, route: (typeof ROUTES)[number]): number {
  if (route.reach === 'self') return route.ok;
  const isBound = credential.owner !== 'admin';
  if (route.reach === 'installation' && isBound) return 404;
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
  // An admin of no organisation has no secrets; an empty body is looked at first.
  const isHomeless = credential.owner === 'admin' || credential.owner === 'bound admin';
  if (route.reach === 'home' && isHomeless && route.ok === 200) return 404;
  return route.ok;
}

describe('what a credential may do on each route', () => {
  let api: RunningPanelApi;
  const keys = new Map<string, string>();

  beforeAll(async () => {
    api = await startPanelApi({ settings: { API_KEYS_PER_CUSTOMER: '1000', API_KEYS_PER_ORGANISATION: '1000' } });
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

  it.each(ROUTES.map((route) => [`${route.call[0]} ${route.call[1]}`, route] as const))(
    '%s answers every credential as the table says',
    async (_name, route) => {
      const [method, path, body] = route.call;
      const wrong: string[] = [];
      for (const credential of credentials()) {
        const key = keys.get(nameOf(credential))!;
        const { status } = await api.as(key).call(method, `/api/v1${path}`, { body });
        const expected = expectedStatus(credential, route);
        if (status !== expected) wrong.push(`${nameOf(credential)}: ${status}, not ${expected}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  it('covers a hundred and more combinations per route', () => {
    expect(credentials().length).toBe(105);
  });

  it('lets nobody in without a credential, on any route that is not public', async () => {
    for (const { call } of ROUTES) {
      const [method, path, body] = call;
      const answer = await api.as(null).call(method, `/api/v1${path}`, { body });
      expect([call, answer.status, answer.body.error.code]).toEqual([call, 401, 'unauthorized']);
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

function nameOf({ owner, role, scopes, deny }: Credential): string {
  return `${role} key of ${owner}, scopes ${JSON.stringify(scopes)}, ${deny.length} denied`;
}
