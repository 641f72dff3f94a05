import { Invalid } from '#kernel/errors';
import { textDefect } from '#kernel/text/plain-text';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Role } from './permissions.js';

/**
 * A person's identity at an identity provider. Two users of one provider never share a subject; an e-mail address may
 * move.
 */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export interface User {
  readonly id: Uuid;
  readonly email: string;
  readonly role: Role;
  /** Null until the user signs in with the provider for the first time. */
  readonly identity: ProviderIdentity | null;
  /** Since when sessions and keys of this user are refused. */
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

export const isEmailAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254;

/** Lower case, because mailboxes that differ only in case are the same one in practice. */
export function normalisedEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (!isEmailAddress(email) || textDefect(email)) {
    throw Invalid.field('email', 'must be an e-mail address');
  }
  return email;
}

/** How the provider's claims decide who is an admin. */
export interface RolePolicy {
  /** E-mail addresses, lower case, that are admins if the provider has verified the address. */
  readonly adminEmails: ReadonlySet<string>;
  /** The claim and the value that make a user an admin. Null leaves roles to the list and to staff. */
  readonly claim: { readonly name: string; readonly adminValue: string } | null;
}

export interface IdentityClaims {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * The role after a sign-in. The e-mail list can only raise it. A configured claim decides for everybody else, in both
 * directions; without one a user keeps its role.
 * @param current null for a new user, who is a customer by default
 */
export function roleAfterSignIn(policy: RolePolicy, identity: IdentityClaims, current: Role | null): Role {
  if (identity.emailVerified && policy.adminEmails.has(identity.email)) return 'admin';
  if (!policy.claim) return current ?? 'customer';
  const value = identity.claims[policy.claim.name];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.includes(policy.claim.adminValue) ? 'admin' : 'customer';
}
