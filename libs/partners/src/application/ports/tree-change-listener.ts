import type { Uuid } from '#kernel/crypto/uuid';

/** A partner, with everything below it, hangs under another parent now. */
export interface SubtreeMove {
  /** The top of what moved; it and all its descendants have the changes below in common. */
  readonly movedId: Uuid;
  /** Partners whose subtree held it before and no longer does. */
  readonly lostBy: readonly Uuid[];
  /** Partners whose subtree holds it now and did not before. Ancestors before and after are in neither list. */
  readonly gainedBy: readonly Uuid[];
}

/**
 * A context that stores something per ancestor, to answer "newest first in this subtree" from one index, and must
 * follow when the tree changes. Subscribe to `TreeChanges` in `onModuleInit`.
 */
export interface TreeChangeListener {
  /**
   * Runs in the transaction of the move, after `partners.subtrees` has its new shape and while nobody else can change
   * it or hold it (`PartnerTree.lockTreeForShare`). A rejection undoes the move.
   */
  subtreeMoved(move: SubtreeMove): Promise<void>;
}
