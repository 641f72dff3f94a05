import type { INestApplicationContext } from '@nestjs/common';
import { Partners } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';

export async function partnerNames(app: INestApplicationContext): Promise<ReadonlyMap<Uuid, string>> {
  const partners = await app.get(Partners, { strict: false }).list();
  return new Map(partners.map(({ id, name }) => [id, name]));
}
