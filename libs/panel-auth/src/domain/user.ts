import { Invalid } from '#kernel/errors';
import { textDefect } from '#kernel/text/plain-text';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Role } from './permissions.js';

/** Who somebody is at an identity provider. Two users of one provider never share a subject; an e-mail may move. */
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
  /** Since when neither sessions nor keys of this user are accepted. */
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

export const isEmailAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254;

/** Lower case, because mailboxes that differ in case alone are the same one everywhere it matters. */
export function normalisedEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (!isEmailAddress(email) || textDefect(email)) {
    throw Invalid.field('email', 'must be an e-mail address');
  }
  return email;
}

/** How the provider's claims decide who is an admin. */
export interface RolePolicy {
  /** E-mail addresses, lower case, that are admins once the provider vouches for the address. */
  readonly adminEmails: ReadonlySet<string>;
  /** A claim whose value, or one of whose values, makes an admin. Null leaves roles to the list and to the staff. */
  readonly claim: { readonly name: string; readonly adminValue: string } | null;
}

export interface IdentityClaims {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * The role after a sign-in. The e-mail list only raises. A configured claim decides about everybody else, in both
 * directions; without one a user keeps the role it has.
 * @param current null for somebody new, who is a customer unless told otherwise
 */
export function roleAfterSignIn(policy: RolePolicy, identity: IdentityClaims, current: Role | null): Role {
  if (identity.emailVerified && policy.adminEmails.has(identity.email)) return 'admin';
  if (!policy.claim) return current ?? 'customer';
  const value = identity.claims[policy.claim.name];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.includes(policy.claim.adminValue) ? 'admin' : 'customer';
}
