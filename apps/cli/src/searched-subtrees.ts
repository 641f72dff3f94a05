import type { INestApplicationContext } from '@nestjs/common';
import { Partners, PartnerSubtree } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Options } from './command-line.js';
import { existingPartner } from './existing-partner.js';
import { optionalUuid } from './option-values.js';

/** Where to search: the partner of `--partner` and all below it, or every root with all below it. */
export async function searchedSubtrees(app: INestApplicationContext, options: Options): Promise<PartnerSubtree[]> {
  const partnerId = optionalUuid(options, 'partner');
  if (partnerId) return [PartnerSubtree.of(await existingPartner(app, partnerId))];
  const partners = await app.get(Partners, { strict: false }).list();
  return partners.filter(({ parentId }) => parentId === null).map(({ id }) => PartnerSubtree.of(id));
}

/** The name of the partner, or its id if the partner no longer exists. */
export const ownerOf = (names: ReadonlyMap<Uuid, string>, partnerId: Uuid) => names.get(partnerId) ?? partnerId;
