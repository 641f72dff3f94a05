import type { Uuid } from '#kernel/crypto/uuid';
import type { BaseBackup } from './recovery-window.js';

/** How far the window reaches back. */
const KEEP_MS = 7 * 86_400_000;

/**
 * When each copy expires. A copy is needed for the moments up to the next copy, so it expires a week after that one. The
 * newest copy never expires while the log is archived: null.
 * @param copies ordered by `endedAt`
 */
export function copyExpiries(
  copies: readonly (BaseBackup & { readonly id: Uuid })[],
  isArchived: boolean,
): ReadonlyMap<Uuid, Date | null> {
  return new Map(
    copies.map((copy, at) => {
      const later = copies.slice(at + 1);
      // It cannot be restored. The newest one is kept so that somebody can look at it.
      if (copy.proof === 'failed') return [copy.id, later[0]?.endedAt ?? after(copy.endedAt)];
      if (!isArchived) return [copy.id, after(copy.endedAt)];
      const next = later.find(({ proof }) => proof !== 'failed');
      return [copy.id, next ? after(next.endedAt) : null];
    }),
  );
}

const after = (time: Date) => new Date(time.getTime() + KEEP_MS);
