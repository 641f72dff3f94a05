import type { Uuid } from '#kernel/crypto/uuid';

/** A partner was moved, with everything below it, to another parent. */
export interface SubtreeMove {
  /** The top of the moved subtree; the changes below apply to it and all its descendants. */
  readonly movedId: Uuid;
  /** Partners whose subtree contained it before and no longer does. */
  readonly lostBy: readonly Uuid[];
  /** Partners whose subtree contains it now and did not before. Ancestors before and after are in neither list. */
  readonly gainedBy: readonly Uuid[];
}

/**
 * For a context that stores rows for each ancestor, so that one index answers "newest first in this subtree", and must
 * update them when the tree changes. Subscribe to `TreeChanges` in `onModuleInit`.
 */
export interface TreeChangeListener {
  /**
   * Runs in the transaction of the move, after `partners.subtrees` has its new shape and while nobody else can change
   * it or take the shared lock (`PartnerTree.lockTreeForShare`). A rejection rolls the move back.
   */
  subtreeMoved(move: SubtreeMove): Promise<void>;
}
