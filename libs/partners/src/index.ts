export { PartnersModule } from './partners.module.js';
export { Partners } from './application/partners.js';
export { PartnerImport } from './application/partner-import.js';
export { PartnerTree } from './application/ports/partner-tree.js';
export type { SubtreeMove, TreeChangeListener } from './application/ports/tree-change-listener.js';
export { TreeChanges } from './application/tree-changes.js';
export { newPartner, PARTNER_TYPES, type Partner, type PartnerType } from './domain/partner.js';
export { PartnerAccount, PartnerSubtree } from './domain/tenancy.js';
export { LOCK_TREE_FOR_SHARE } from './infrastructure/tree-lock.js';
