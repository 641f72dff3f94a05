import type { Partner } from '../domain/partner.js';

/** Imports partners from an older system, many at a time. The caller's transaction locks the shape of the tree. */
export abstract class PartnerImport {
  /** @param partners by `newPartner`; the parent of each already exists, so none may be another's parent */
  abstract insert(partners: readonly Partner[]): Promise<void>;
}
