/**
 * Everything that a caller can be allowed to do. The only list: routes, keys, memberships and the documentation use it.
 */
export const PERMISSIONS = [
  'services:read',
  'services:create',
  'services:update',
  'services:delete',
  'services:control',
  'services:suspend',
  'services:deploy',
  'services.logs:read',
  'services.metrics:read',
  'services.env:read',
  'services.env:write',
  'credentials:reveal',
  'deployments:read',
  'deployments:cancel',
  'templates:read',
  'templates:deploy',
  'analysis:create',
  'analysis:read',
  'backups:read',
  'backups:create',
  'backups:restore',
  'backups:delete',
  'domains:read',
  'domains:write',
  'volumes:read',
  'volumes:delete',
  'api_keys:read',
  'api_keys:create',
  'api_keys:delete',
  'secrets:read',
  'secrets:write',
  'org.members:read',
  'org.members:write',
  'usage:read',
  'audit:read',
  'mcp:use',
] as const;

export type Permission = (typeof PERMISSIONS)[number];
export type PermissionSet = ReadonlySet<Permission>;

export const ROLES = ['admin', 'customer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * A permission name, all actions of one resource (`services:*`, not those of `services.logs`), everything (`*`), or one
 * of the groups `read` (every `…:read`) and `write` (everything else).
 */
export type Scope = Permission | `${string}:*` | '*' | 'read' | 'write';

// Only admins may see the vector database's credentials, although customers hold credentials:reveal. This depends on
// the service's template, so the services context decides it.
const FOR_ADMINS_ALONE: PermissionSet = new Set<Permission>(['services:suspend', 'audit:read']);

const OF_ROLE: Readonly<Record<Role, PermissionSet>> = {
  admin: new Set(PERMISSIONS),
  customer: new Set(PERMISSIONS.filter((permission) => !FOR_ADMINS_ALONE.has(permission))),
};

export function permissionsOf(role: Role): PermissionSet {
  return OF_ROLE[role];
}

export function isPermission(name: string): name is Permission {
  return OF_ROLE.admin.has(name as Permission);
}

/** True for a known permission and for the wildcard of a resource that has permissions. */
export function isScope(text: string): text is Scope {
  return isPermission(text) || scopeCovers(text).length > 0;
}

export function intersect(one: PermissionSet, other: PermissionSet): PermissionSet {
  return new Set([...one].filter((permission) => other.has(permission)));
}

export function includesAll(holder: PermissionSet, wanted: PermissionSet): boolean {
  return [...wanted].every((permission) => holder.has(permission));
}

/** What a credential requests, before it is reduced to its owner's permissions. */
export interface Grant {
  readonly role: Role;
  /** Null keeps the whole role; an empty list keeps nothing. */
  readonly scopes: readonly Scope[] | null;
  readonly permissionsDeny: readonly Permission[];
}

/** The role, reduced by the scopes and the denials. A denial takes precedence over a scope. */
export function permissionsGranted(grant: Grant): PermissionSet {
  const scoped = grant.scopes && new Set(grant.scopes.flatMap(scopeCovers));
  const denied = new Set(grant.permissionsDeny);
  return new Set(
    [...permissionsOf(grant.role)].filter(
      (permission) => (!scoped || scoped.has(permission)) && !denied.has(permission),
    ),
  );
}

const isReading = (permission: Permission): boolean => permission.endsWith(':read');

/** The permissions that a wildcard over several resources covers. */
const GROUPS: Readonly<Record<string, readonly Permission[]>> = {
  '*': PERMISSIONS,
  read: PERMISSIONS.filter(isReading),
  write: PERMISSIONS.filter((permission) => !isReading(permission)),
};

function scopeCovers(scope: string): readonly Permission[] {
  if (isPermission(scope)) return [scope];
  const group = Object.hasOwn(GROUPS, scope) ? GROUPS[scope] : undefined;
  if (group) return group;
  if (!scope.endsWith(':*')) return [];
  const resource = scope.slice(0, -1);
  return PERMISSIONS.filter((permission) => permission.startsWith(resource));
}
