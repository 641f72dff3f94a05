import fc from 'fast-check';
import {
  PERMISSIONS,
  isPermission,
  isScope,
  permissionsGranted,
  permissionsOf,
  type Permission,
  type Scope,
} from './permissions.js';

const granted = (role: 'admin' | 'customer', scopes: Scope[] | null, permissionsDeny: Permission[] = []) =>
  [...permissionsGranted({ role, scopes, permissionsDeny })].sort();

describe('permissions of a role', () => {
  it('gives an admin all of them', () => {
    expect(permissionsOf('admin').size).toBe(PERMISSIONS.length);
    expect(new Set(PERMISSIONS).size).toBe(36);
  });

  it('does not give customers the suspension of services and the audit log', () => {
    expect(PERMISSIONS.filter((permission) => !permissionsOf('customer').has(permission))).toEqual([
      'services:suspend',
      'audit:read',
    ]);
  });
});

describe('scopes', () => {
  it('reduce the role to the named permissions', () => {
    expect(granted('admin', ['services:read', 'audit:read'])).toEqual(['audit:read', 'services:read']);
  });

  it('include all actions of a resource with a wildcard, but not those of its sub-resources', () => {
    expect(granted('admin', ['services:*'])).toEqual(
      PERMISSIONS.filter((permission) => permission.startsWith('services:')).sort(),
    );
    expect(granted('admin', ['services.logs:*'])).toEqual(['services.logs:read']);
  });

  it('never add permissions that the role lacks', () => {
    expect(granted('customer', ['services:suspend', 'audit:*', 'services:read'])).toEqual(['services:read']);
  });

  it('give nothing if the list is empty, and everything if it is omitted', () => {
    expect(granted('customer', [])).toEqual([]);
    expect(granted('customer', null)).toEqual([...permissionsOf('customer')].sort());
  });

  it('are overridden by a denial of the same permission', () => {
    expect(granted('admin', ['backups:*'], ['backups:delete'])).toEqual([
      'backups:create',
      'backups:read',
      'backups:restore',
    ]);
  });

  it.each([
    ':*',
    'reading',
    '*:*',
    'services',
    'services:',
    'services:fly',
    'service:*',
    'services:read ',
    'Services:read',
    '',
  ])('does not include %j', (text) => expect(isScope(text)).toBe(false));

  it('include every permission and the wildcard of every resource', () => {
    for (const permission of PERMISSIONS) {
      expect(isPermission(permission) && isScope(permission)).toBe(true);
      expect(isScope(permission.replace(/:.*/, ':*'))).toBe(true);
    }
  });
});

describe('any grant', () => {
  const scope = fc.oneof(fc.constantFrom(...PERMISSIONS), fc.constantFrom<Scope>('services:*', 'backups:*', 'audit:*'));
  const grant = fc.record({
    role: fc.constantFrom('admin' as const, 'customer' as const),
    scopes: fc.option(fc.array(scope)),
    permissionsDeny: fc.array(fc.constantFrom(...PERMISSIONS)),
  });

  it('stays within its role and never includes its denials', () => {
    fc.assert(
      fc.property(grant, (g) => {
        for (const permission of permissionsGranted(g)) {
          expect(permissionsOf(g.role).has(permission)).toBe(true);
          expect(g.permissionsDeny).not.toContain(permission);
        }
      }),
    );
  });
});
