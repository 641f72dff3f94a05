import type { INestApplicationContext } from '@nestjs/common';
import { Partners } from '#libs/partners';
import { NotFound } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';

/**
 * The partner that a command names. Checked, so that a mistyped id does not look like a partner without data.
 * @throws NotFound if there is no such partner
 */
export async function existingPartner(app: INestApplicationContext, id: Uuid): Promise<Uuid> {
  if (!(await app.get(Partners, { strict: false }).find(id))) throw new NotFound();
  return id;
}
