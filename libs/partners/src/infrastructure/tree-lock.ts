/** The advisory lock on the shape of the partner tree: exclusive to change it, shared to rely on it. */
export const TREE_LOCK = 7_402_115_002;
