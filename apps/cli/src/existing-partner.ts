import type { INestApplicationContext } from '@nestjs/common';
import { Partners } from '#libs/partners';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';

/**
 * The partner that a command names: a mistyped id must not read as a partner that has nothing.
 * @throws NotFound when there is no such partner
 */
export async function existingPartner(app: INestApplicationContext, id: Uuid): Promise<Uuid> {
  if (!(await app.get(Partners, { strict: false }).find(id))) throw new NotFound();
  return id;
}
