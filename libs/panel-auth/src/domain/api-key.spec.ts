import type { Uuid } from '#kernel/crypto/uuid';
import {
  admitKey,
  assertRoomForKey,
  effectivePermissions,
  effectiveRole,
  isActive,
  mayManage,
  type KeyMaker,
  type RequestedKey,
} from './api-key.js';
import {
  PERMISSIONS,
  permissionsOf,
  type Grant,
  type Permission,
  type PermissionSet,
  type Role,
} from './permissions.js';

const now = new Date('2026-03-01T12:00:00Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const org = '00000000-0000-4000-8000-0000000000a1' as Uuid;
const none: PermissionSet = new Set();
const without = (role: Role, ...permissions: Permission[]): PermissionSet =>
  new Set([...permissionsOf(role)].filter((permission) => !permissions.includes(permission)));

const request = (change: Partial<RequestedKey> = {}): RequestedKey => ({
  name: 'ci',
  role: null,
  scopes: null,
  permissionsDeny: [],
  expiresAt: null,
  rateLimitRpm: 60,
  isServiceAccount: false,
  description: null,
  ...change,
});
const admin: KeyMaker = {
  userRole: 'admin',
  held: permissionsOf('admin'),
  organisationId: null,
  key: null,
  highestRpm: null,
};
const customer: KeyMaker = {
  userRole: 'customer',
  held: permissionsOf('customer'),
  organisationId: org,
  key: null,
  highestRpm: 600,
};
const withKey = (maker: KeyMaker, key: Partial<NonNullable<KeyMaker['key']>> = {}): KeyMaker => ({
  ...maker,
  key: { role: maker.userRole, permissions: permissionsOf(maker.userRole), expiresAt: null, rateLimitRpm: 600, ...key },
});

/** `insufficient_role`, another slug, or the role and binding of the admitted key. */
function outcome(maker: KeyMaker, requested: RequestedKey): string {
  try {
    const { terms, organisationId } = admitKey(maker, requested, now);
    return `${terms.role} ${organisationId ? 'bound' : 'platform-wide'}`;
  } catch (error) {
    return (error as { slug: string }).slug;
  }
}

describe('the rate limit of a key', () => {
  const rateOf = (maker: KeyMaker, rateLimitRpm: number | null) =>
    admitKey(maker, request({ rateLimitRpm }), now).terms.rateLimitRpm;

  it('is at most the limit for customers, and the limit of the creating key', () => {
    expect(rateOf(customer, 600)).toBe(600);
    expect(() => rateOf(customer, 601)).toThrow('rateLimitRpm must not be greater than 600');
    expect(() => rateOf(withKey(customer, { rateLimitRpm: 90 }), 91)).toThrow(
      'rateLimitRpm must not be greater than 90',
    );
    expect(() => rateOf(withKey(admin, { rateLimitRpm: 90 }), 91)).toThrow('must not be greater than 90');
    expect(rateOf(admin, 2_147_483_647)).toBe(2_147_483_647);
  });

  it('defaults to 60, or less if the creating key has less', () => {
    expect([rateOf(admin, null), rateOf(withKey(admin, { rateLimitRpm: 30 }), null)]).toEqual([60, 30]);
  });
});

describe('managing keys', () => {
  const customerKey = { role: 'customer', permissions: permissionsOf('customer') } as const;
  const grant = (role: Role, scopes: string[] | null = null) => ({ role, scopes, permissionsDeny: [] }) as Grant;

  it('is allowed only for keys that are not stronger', () => {
    expect(mayManage(customerKey, grant('admin'))).toBe(false);
    expect(mayManage(customerKey, grant('admin', ['services:read']))).toBe(false);
    expect(mayManage(customerKey, grant('customer'))).toBe(true);
    const reading = { role: 'admin', permissions: new Set<Permission>(['services:read', 'api_keys:delete']) } as const;
    expect(mayManage(reading, grant('admin'))).toBe(false);
    expect(mayManage(reading, grant('admin', ['services:read']))).toBe(true);
  });
});

describe('requesting a key', () => {
  it('counts code points of its name, not UTF-16 units', () => {
    expect(outcome(admin, request({ name: '😀'.repeat(200) }))).toBe('admin platform-wide');
    expect(outcome(admin, request({ name: '😀'.repeat(201) }))).toBe('validation');
  });

  it.each<[string, KeyMaker, Partial<RequestedKey>, string]>([
    ['an admin gets its own role by default', admin, {}, 'admin platform-wide'],
    ['an admin may request less', admin, { role: 'customer' }, 'customer platform-wide'],
    ['a customer gets its own role by default, bound', customer, {}, 'customer bound'],
    ['a customer cannot make an admin key', customer, { role: 'admin' }, 'insufficient_role'],
    ['not even one with narrow scopes', customer, { role: 'admin', scopes: ['services:read'] }, 'insufficient_role'],
    [
      'a customer needs every permission of the role, even for a narrow key',
      { ...customer, held: without('customer', 'volumes:delete') },
      { scopes: ['services:read'] },
      'insufficient_role',
    ],
    ['a customer without any membership right', { ...customer, held: none }, {}, 'insufficient_role'],
    ['a customer of no organisation', { ...customer, organisationId: null }, {}, 'forbidden'],
    ['an admin key creates an admin key', withKey(admin), {}, 'admin platform-wide'],
    ['an admin key creates a customer key', withKey(admin), { role: 'customer' }, 'customer platform-wide'],
    [
      'a customer-role key of an admin defaults to its own role',
      withKey(admin, { role: 'customer', permissions: permissionsOf('customer') }),
      {},
      'customer platform-wide',
    ],
    [
      'a customer-role key of an admin creates no admin key',
      withKey(admin, { role: 'customer', permissions: permissionsOf('customer') }),
      { role: 'admin' },
      'insufficient_role',
    ],
    [
      'nor one with few scopes',
      withKey(admin, { role: 'customer', permissions: permissionsOf('customer') }),
      { role: 'admin', scopes: ['services:read'] },
      'insufficient_role',
    ],
    ['a key bound to an organisation passes its binding on', withKey(customer), {}, 'customer bound'],
    ['a bound key of an admin passes its binding on', withKey({ ...admin, organisationId: org }), {}, 'admin bound'],
    [
      'a key with a denial creates no key without it',
      withKey(admin, { permissions: without('admin', 'services:delete') }),
      {},
      'insufficient_role',
    ],
    [
      'but one with the same denial',
      withKey(admin, { permissions: without('admin', 'services:delete') }),
      { permissionsDeny: ['services:delete'] },
      'admin platform-wide',
    ],
    [
      'a scoped key creates no unscoped one',
      withKey(admin, { permissions: new Set<Permission>(['api_keys:create', 'services:read']) }),
      {},
      'insufficient_role',
    ],
    [
      'but a narrower one',
      withKey(admin, { permissions: new Set<Permission>(['api_keys:create', 'services:read']) }),
      { scopes: ['services:read'] },
      'admin platform-wide',
    ],
    ['a key that expires creates none without expiry', withKey(admin, { expiresAt: later(60) }), {}, 'forbidden'],
    ['nor one that outlives it', withKey(admin, { expiresAt: later(60) }), { expiresAt: later(61) }, 'forbidden'],
    [
      'but one that ends with it',
      withKey(admin, { expiresAt: later(60) }),
      { expiresAt: later(60) },
      'admin platform-wide',
    ],
    ['an expiry of now is past', admin, { expiresAt: now }, 'validation'],
  ])('%s', (_rule, maker, change, expected) => {
    expect(outcome(maker, request(change))).toBe(expected);
  });

  it('refuses a key to a customer who lacks any single permission of the role', () => {
    for (const permission of permissionsOf('customer')) {
      expect(outcome({ ...customer, held: without('customer', permission) }, request())).toBe('insufficient_role');
    }
  });

  it('allows a key to pass on exactly its own permissions', () => {
    for (const held of PERMISSIONS) {
      const maker = withKey(admin, { permissions: new Set([held]) });
      for (const wanted of PERMISSIONS) {
        const expected = wanted === held ? 'admin platform-wide' : 'insufficient_role';
        expect(outcome(maker, request({ scopes: [wanted] }))).toBe(expected);
      }
    }
  });
});

describe('what a key may do', () => {
  const key = { role: 'admin', scopes: null, permissionsDeny: [], organisationId: null } as const;

  it('never exceeds the current permissions of its creator', () => {
    expect(effectivePermissions(key, 'customer', none)).toEqual(permissionsOf('customer'));
    expect(effectiveRole(key, 'customer')).toBe('customer');
    expect(effectiveRole({ role: 'customer' }, 'admin')).toBe('customer');
  });

  it("is limited to the creator's permissions in the bound organisation", () => {
    const held = new Set<Permission>(['services:read', 'audit:read']);
    expect([...effectivePermissions({ ...key, organisationId: org }, 'customer', held)]).toEqual(['services:read']);
    expect(effectivePermissions({ ...key, organisationId: org }, 'customer', none).size).toBe(0);
  });
});

describe('the number of active keys', () => {
  const policy = { perCustomer: 10, perOrganisation: 25, perAdmin: 100 };
  const full = (role: Role, ofUser: number, ofOrganisation: number | null) => {
    try {
      assertRoomForKey(policy, role, { ofUser, ofOrganisation });
      return false;
    } catch (error) {
      return (error as { slug: string }).slug;
    }
  };

  it.each<[Role, number, number | null, false | string]>([
    ['customer', 9, 24, false],
    ['customer', 10, 10, 'api_key_limit_reached'],
    ['customer', 0, 25, 'api_key_limit_reached'],
    ['admin', 99, null, false],
    ['admin', 100, null, 'api_key_limit_reached'],
    ['admin', 10, 25, 'api_key_limit_reached'],
  ])('of a %s with %s own and %s in the organisation', (role, own, ofOrganisation, expected) => {
    expect(full(role, own, ofOrganisation)).toBe(expected);
  });
});

describe('an active key', () => {
  it('ends with its revocation and at the instant of its expiry', () => {
    expect(isActive({ revokedAt: null, expiresAt: null }, now)).toBe(true);
    expect(isActive({ revokedAt: null, expiresAt: later(1) }, now)).toBe(true);
    expect(isActive({ revokedAt: null, expiresAt: now }, now)).toBe(false);
    expect(isActive({ revokedAt: now, expiresAt: null }, now)).toBe(false);
  });
});
