import { Forbidden, Invalid } from '#kernel/errors';
import { characterCount, textDefect } from '#kernel/text/plain-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { ApiKeyLimitReached, InsufficientRole } from './panel-auth-errors.js';
import {
  includesAll,
  intersect,
  permissionsGranted,
  permissionsOf,
  type Grant,
  type PermissionSet,
  type Role,
} from './permissions.js';

const MAX_NAME_LENGTH = 200;

/** A key's permissions and description: the whole creation request except the binding. */
export interface ApiKeyTerms extends Grant {
  readonly name: string;
  readonly description: string | null;
  /** Requests a minute. */
  readonly rateLimitRpm: number;
  readonly isServiceAccount: boolean;
  /** Null: never expires. */
  readonly expiresAt: Date | null;
}

/** A key as it is listed; the key itself is known only to whoever it was shown to. */
export interface ApiKey extends ApiKeyTerms {
  readonly id: Uuid;
  readonly creatorId: Uuid;
  /** The organisation that the key is bound to; null for one that works platform-wide. */
  readonly organisationId: Uuid | null;
  readonly prefix: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A request whose role and rate are optional. */
export type RequestedKey = Omit<ApiKeyTerms, 'role' | 'rateLimitRpm'> & {
  readonly role: Role | null;
  readonly rateLimitRpm: number | null;
};

/** Default rate of a key, in requests a minute. */
const DEFAULT_RPM = 60;

/** The creator of a key, as far as the rules need to know. */
export interface KeyMaker {
  /** The user's own role, whatever credential it uses. */
  readonly userRole: Role;
  /** The user's permissions in `organisationId`; all of its role if there is none. */
  readonly held: PermissionSet;
  /** The organisation that a new key would belong to: the binding of the calling key, or the customer's own. */
  readonly organisationId: Uuid | null;
  /** The calling key with its current permissions; null for a session. */
  readonly key: MakingKey | null;
  /** The highest rate of a customer's key; null for staff and admins. */
  readonly highestRpm: number | null;
}

export interface MakingKey {
  readonly role: Role;
  readonly permissions: PermissionSet;
  readonly expiresAt: Date | null;
  readonly rateLimitRpm: number;
}

export interface AdmittedKey {
  readonly terms: ApiKeyTerms;
  readonly organisationId: Uuid | null;
}

/**
 * Decides whether the creator may have the requested key. Pure: reads and writes nothing.
 * @throws InsufficientRole if the creator, or the calling key, lacks a permission of the new key
 * @throws Forbidden if a customer belongs to no organisation
 * @throws Invalid if the name is invalid, the expiry is not in the future or the rate is too high
 */
export function admitKey(maker: KeyMaker, requested: RequestedKey, now: Date): AdmittedKey {
  const role = requested.role ?? maker.key?.role ?? maker.userRole;
  const rateLimitRpm = admittedRate(maker, requested.rateLimitRpm);
  const terms: ApiKeyTerms = { ...requested, name: keyName(requested.name), role, rateLimitRpm };
  if (terms.expiresAt) assertFuture(terms.expiresAt, now);
  if (maker.userRole === 'customer') assertCustomerMay(maker, terms.role);
  if (maker.key) assertNotStronger(maker.key, terms);
  return { terms, organisationId: maker.organisationId };
}

/** At most the rate of the calling key, and at most what customers may have. */
function admittedRate({ key, highestRpm }: KeyMaker, wanted: number | null): number {
  const highest = Math.min(key?.rateLimitRpm ?? Infinity, highestRpm ?? Infinity);
  if (wanted === null) return Math.min(DEFAULT_RPM, highest);
  const message = `rateLimitRpm must not be greater than ${highest}`;
  if (wanted > highest) throw new Invalid('validation', message, [{ path: '/rateLimitRpm', code: 'max', message }]);
  return wanted;
}

/** @throws Invalid for an expiry that is not in the future */
export function assertFuture(expiresAt: Date, now: Date): void {
  if (expiresAt.getTime() <= now.getTime()) throw Invalid.field('expiresAt', 'must be in the future');
}

function keyName(text: string): string {
  const name = text.trim();
  if (name === '' || characterCount(name) > MAX_NAME_LENGTH)
    throw Invalid.field('name', `must have 1 to ${MAX_NAME_LENGTH} characters`);
  const defect = textDefect(name);
  if (defect) throw Invalid.field('name', defect);
  return name;
}

function assertCustomerMay(maker: KeyMaker, role: Role): void {
  if (!maker.organisationId) throw new Forbidden('forbidden', 'You do not belong to an organisation yet.');
  if (role === 'admin' || !includesAll(maker.held, permissionsOf(role))) throw new InsufficientRole();
}

/** A key passes on no more than it has: no other role, no further permission, no longer life. */
function assertNotStronger(key: NonNullable<KeyMaker['key']>, terms: ApiKeyTerms): void {
  if (key.role === 'customer' && terms.role === 'admin') throw new InsufficientRole();
  if (!includesAll(key.permissions, permissionsGranted(terms))) throw new InsufficientRole();
  const outlives = key.expiresAt && (!terms.expiresAt || terms.expiresAt.getTime() > key.expiresAt.getTime());
  if (outlives)
    throw new Forbidden('forbidden', 'A key cannot create a key that expires later than itself. Set expiresAt.');
}

/** Whether a key may revoke another one: never one with more permissions than itself. */
export function mayManage(key: Pick<MakingKey, 'role' | 'permissions'>, other: Grant): boolean {
  if (key.role === 'customer' && other.role === 'admin') return false;
  return includesAll(key.permissions, permissionsGranted(other));
}

/** How many keys may be active at once. */
export interface KeyCountPolicy {
  readonly perCustomer: number;
  readonly perOrganisation: number;
  readonly perAdmin: number;
}

export interface ActiveKeyCounts {
  readonly ofUser: number;
  /** Null for a key without a binding. */
  readonly ofOrganisation: number | null;
}

/** @throws ApiKeyLimitReached if one more key would be too many */
export function assertRoomForKey(policy: KeyCountPolicy, userRole: Role, counts: ActiveKeyCounts): void {
  const own = userRole === 'admin' ? policy.perAdmin : policy.perCustomer;
  if (counts.ofUser >= own) throw new ApiKeyLimitReached(own);
  if (counts.ofOrganisation !== null && counts.ofOrganisation >= policy.perOrganisation) {
    throw new ApiKeyLimitReached(policy.perOrganisation);
  }
}

/** True until the key is revoked or expires. */
export function isActive(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > now.getTime());
}

/** The effective role of a key: never above its creator's current role. */
export function effectiveRole(key: Pick<ApiKey, 'role'>, creatorRole: Role): Role {
  return creatorRole === 'admin' ? key.role : 'customer';
}

/**
 * The current permissions of a key: its role, reduced by its scopes, its denials and its creator's current permissions.
 * @param held the creator's permissions in the organisation the key is bound to; ignored for an unbound key
 */
export function effectivePermissions(
  key: Grant & Pick<ApiKey, 'organisationId'>,
  creatorRole: Role,
  held: PermissionSet,
): PermissionSet {
  const granted = permissionsGranted({ ...key, role: effectiveRole(key, creatorRole) });
  return key.organisationId === null ? granted : intersect(granted, held);
}

/**
 * A key's permissions in its creator's own organisation, whatever it is bound to.
 * @param held the creator's permissions there; none for a customer without an organisation
 */
export function permissionsAtHome(key: Grant, creatorRole: Role, held: PermissionSet): PermissionSet {
  const granted = permissionsGranted({ ...key, role: effectiveRole(key, creatorRole) });
  return creatorRole === 'admin' ? granted : intersect(granted, held);
}
