import type { INestApplicationContext } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { ApiKeys, Directory, type Role, type User } from '#libs/panel-auth';

/** The accounts of the local identity provider, with their e-mail addresses. */
const ADMIN = 'admin@demo.example';
const CUSTOMER = 'customer@demo.example';
const ORGANISATION = 'Demo Organisation';

/** An admin, and a customer with an organisation. @returns a new key of the admin, in clear text */
export async function makePanelDemo(app: INestApplicationContext): Promise<string> {
  const directory = app.get(Directory);
  const admin = await user(directory, ADMIN, 'admin');
  const customer = await user(directory, CUSTOMER, 'customer');
  const known = (await directory.organisations()).find(({ name }) => name === ORGANISATION);
  const organisation = known ?? (await directory.createOrganisation(ORGANISATION, null));
  await directory.addMember(customer.id, organisation.id, 'customer', null);
  const terms = { name: 'demo', role: null, scopes: null, permissionsDeny: [], expiresAt: null, description: null };
  const requested = { ...terms, rateLimitRpm: 6_000, isServiceAccount: false };
  return (await app.get(ApiKeys).createByStaff(admin.id, requested, null)).clear.reveal();
}

async function user(directory: Directory, email: string, role: Role): Promise<User> {
  try {
    return await directory.userByEmail(email);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    return directory.createUser(email, role);
  }
}
