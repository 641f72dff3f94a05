/** The advisory lock on the shape of the partner tree: exclusive to change it, shared to rely on it. */
export const TREE_LOCK = 7_402_115_002;

/** What `PartnerTree.lockTreeForShare` asks, for whoever sends it over a connection of its own. */
export const LOCK_TREE_FOR_SHARE = {
  name: 'lock-tree-for-share',
  text: `select pg_advisory_xact_lock_shared(${TREE_LOCK})`,
};
