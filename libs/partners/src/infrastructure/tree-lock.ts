/** The advisory lock on the shape of the partner tree: exclusive to change it, shared to rely on it. */
export const TREE_LOCK = 7_402_115_002;

/** The statement of `PartnerTree.lockTreeForShare`, for code that sends it over its own connection. */
export const LOCK_TREE_FOR_SHARE = {
  name: 'lock-tree-for-share',
  text: `select pg_advisory_xact_lock_shared(${TREE_LOCK})`,
};
