import type { INestApplicationContext } from '@nestjs/common';
import { Partners, PartnerSubtree } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';
import { partnerNames } from './billing/partner-names.js';
import type { Options } from './command-line.js';
import { existingPartner } from './existing-partner.js';
import { optionalUuid } from './option-values.js';

export type WithPartner<Found> = Found & { readonly partnerName: string };

/** Searches everywhere that `options` allow. @returns what was found, with the name of the partner that it belongs to */
export async function foundWithPartner<Found extends { readonly partnerId: Uuid }>(
  app: INestApplicationContext,
  options: Options,
  search: (subtree: PartnerSubtree) => Promise<readonly Found[]>,
): Promise<readonly WithPartner<Found>[]> {
  const subtrees = await searchedSubtrees(app, options);
  const found = (await Promise.all(subtrees.map(search))).flat();
  const names = await partnerNames(app);
  return found.map((one) => ({ ...one, partnerName: ownerOf(names, one.partnerId) }));
}

/** Where to search: the partner of `--partner` and all below it, or every root with all below it. */
async function searchedSubtrees(app: INestApplicationContext, options: Options): Promise<PartnerSubtree[]> {
  const partnerId = optionalUuid(options, 'partner');
  if (partnerId) return [PartnerSubtree.of(await existingPartner(app, partnerId))];
  const partners = await app.get(Partners, { strict: false }).list();
  return partners.filter(({ parentId }) => parentId === null).map(({ id }) => PartnerSubtree.of(id));
}

/** The name of the partner, or its id if the partner no longer exists. */
export const ownerOf = (names: ReadonlyMap<Uuid, string>, partnerId: Uuid) => names.get(partnerId) ?? partnerId;
