import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import {
  ApiKeys,
  Directory,
  Sessions,
  type Organisation,
  type Permission,
  type RequestedKey,
  type Role,
  type User,
} from '#libs/panel-auth';

export const aKeyRequest = (change: Partial<RequestedKey> = {}): RequestedKey => ({
  name: 'test key',
  role: null,
  scopes: null,
  permissionsDeny: [],
  expiresAt: null,
  rateLimitRpm: 1_000_000,
  isServiceAccount: false,
  description: null,
  ...change,
});

/** A user with a unique e-mail address. */
export function aPanelUser(app: INestApplicationContext, role: Role): Promise<User> {
  return app.get(Directory).createUser(`${role}-${randomBytes(4).toString('hex')}@example.com`, role);
}

export function anOrganisation(app: INestApplicationContext, parentId: Uuid | null = null): Promise<Organisation> {
  return app.get(Directory).createOrganisation(`Org ${randomBytes(3).toString('hex')}`, parentId);
}

/** A customer with a membership in `organisation`, or in a new one. */
export async function aCustomer(
  app: INestApplicationContext,
  options: { organisation?: Organisation; permissions?: Permission[] | null } = {},
): Promise<{ user: User; organisation: Organisation }> {
  const user = await aPanelUser(app, 'customer');
  const organisation = options.organisation ?? (await anOrganisation(app));
  await app.get(Directory).addMember(user.id, organisation.id, 'customer', options.permissions ?? null);
  return { user, organisation };
}

/** Creates a key as the staff does. @returns it in clear */
export async function aKey(
  app: INestApplicationContext,
  user: User,
  change: Partial<RequestedKey> = {},
  organisationId: Uuid | null = null,
): Promise<string> {
  return (await app.get(ApiKeys).createByStaff(user.id, aKeyRequest(change), organisationId)).clear.reveal();
}

/** The key of a new admin, with a rate limit too high to matter. */
export async function anAdminKey(app: INestApplicationContext): Promise<string> {
  return aKey(app, await aPanelUser(app, 'admin'));
}

/** The Cookie header of a signed-in browser. The session is opened directly, without a provider. */
export async function aSessionCookie(
  app: INestApplicationContext,
  user: User,
  expiresInSeconds = 3_600,
): Promise<string> {
  const opened = await app.get(Sessions).open(user, { expiresInSeconds, idToken: null, userAgent: 'test' });
  const binding = opened.binding ? `; __Host-oidc_bind=${opened.binding.reveal()}` : '';
  return `oidc_session=${opened.cookie.reveal()}${binding}`;
}
