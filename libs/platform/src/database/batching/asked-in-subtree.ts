import type { Columns } from './set-statement.js';

/** A record by its id, in the subtree of the partner `rootId`. */
export interface AskedInSubtree {
  readonly subtree: { readonly rootId: string };
  readonly id: string;
}

export const ASKED_IN_SUBTREE: Columns<AskedInSubtree> = {
  root_id: ['uuid', ({ subtree }) => subtree.rootId],
  id: ['uuid', ({ id }) => id],
};
