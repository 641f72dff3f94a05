import type { Uuid } from '#kernel/crypto/uuid';
import { homeOrganisation, permissionsHeld, type Membership } from './membership.js';
import { assertNoCycle, Lineage } from './organisation.js';
import { permissionsOf, type Permission, type Role } from './permissions.js';

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}` as Uuid;
const [top, middle, bottom, elsewhere, user] = [id(1), id(2), id(3), id(4), id(9)];
const atBottom = Lineage.of([bottom, middle, top]);

const member = (
  organisationId: Uuid,
  role: Role = 'customer',
  permissions: Permission[] | null = null,
  day = 1,
): Membership => ({ userId: user, organisationId, role, permissions, createdAt: new Date(Date.UTC(2026, 0, day)) });
const held = (role: Role, ...memberships: Membership[]) => [...permissionsHeld(role, memberships, atBottom)].sort();
const all = [...permissionsOf('customer')].sort();

describe('the permissions of a user in an organisation', () => {
  it('include memberships in the organisation and its ancestors', () => {
    expect(held('customer', member(bottom))).toEqual(all);
    expect(held('customer', member(top))).toEqual(all);
  });

  it('do not include memberships in siblings or descendants', () => {
    expect(held('customer', member(elsewhere))).toEqual([]);
    expect([...permissionsHeld('customer', [member(bottom)], Lineage.of([middle, top]))]).toEqual([]);
  });

  it('are narrowed by the permissions of the membership', () => {
    expect(held('customer', member(bottom, 'customer', ['services:read']))).toEqual(['services:read']);
    expect(held('customer', member(bottom, 'customer', []))).toEqual([]);
  });

  it('are the union of several memberships', () => {
    const memberships = [member(bottom, 'customer', ['services:read']), member(top, 'customer', ['backups:read'])];
    expect(held('customer', ...memberships)).toEqual(['backups:read', 'services:read']);
  });

  it('never exceed the role of the user or of the membership', () => {
    expect(held('customer', member(bottom, 'admin'))).toEqual(all);
    expect(held('customer', member(bottom, 'customer', ['audit:read', 'services:read']))).toEqual(['services:read']);
  });

  it('are complete for an admin, with or without a membership', () => {
    expect(held('admin')).toEqual([...permissionsOf('admin')].sort());
    expect(held('admin', member(bottom, 'customer', []))).toEqual([...permissionsOf('admin')].sort());
  });
});

describe('the home organisation', () => {
  it('is the one joined first', () => {
    expect(homeOrganisation([member(top, 'customer', null, 3), member(bottom, 'customer', null, 2)])).toBe(bottom);
  });

  it('does not depend on the order if two were joined at the same time', () => {
    expect(homeOrganisation([member(middle), member(top)])).toBe(homeOrganisation([member(top), member(middle)]));
  });

  it('is missing for a user without a membership', () => {
    expect(homeOrganisation([])).toBeNull();
  });
});

describe('the tree of organisations', () => {
  it('refuses a parent that is the organisation itself or below it', () => {
    expect(() => assertNoCycle(top, atBottom)).toThrow('cannot be below itself');
    expect(() => assertNoCycle(bottom, Lineage.of([bottom, middle, top]))).toThrow('cannot be below itself');
    expect(() => assertNoCycle(bottom, Lineage.of([middle, top]))).not.toThrow();
  });
});
