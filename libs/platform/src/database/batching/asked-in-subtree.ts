import type { Columns } from './set-statement.js';

/** A look-up of a record by id in the subtree of partner `rootId`. */
export interface AskedInSubtree {
  readonly subtree: { readonly rootId: string };
  readonly id: string;
}

export const ASKED_IN_SUBTREE: Columns<AskedInSubtree> = {
  root_id: ['uuid', ({ subtree }) => subtree.rootId],
  id: ['uuid', ({ id }) => id],
};
