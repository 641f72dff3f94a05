import type { Partner } from '../domain/partner.js';

/** Takes over partners from an older system, many at a time. The caller's transaction holds the shape of the tree. */
export abstract class PartnerImport {
  /** @param partners by `newPartner`; the parent of each exists already, so none may be another's parent */
  abstract insert(partners: readonly Partner[]): Promise<void>;
}
