import { SealBroken, type KeyRing } from '../key-ring.js';
import { sealContext, type Queryable, type SealedKind } from './sealed-kind.js';

/** Seals the values of a kind again with the newest key. A value that changed in the meantime already has it. */
export async function resealKind(
  database: Queryable,
  ring: KeyRing,
  kind: SealedKind,
): Promise<{ resealed: number; upToDate: number; unreadable: number }> {
  const { table, column, rowId } = kind;
  const count = { resealed: 0, upToDate: 0, unreadable: 0 };
  const rows = await database.query<{ id: string; sealed: Buffer }[]>(
    `select (${rowId})::text as id, ${column} as sealed from ${table} where ${column} is not null`,
  );
  for (const { id, sealed } of rows) {
    if (!ring.isStale(sealed)) count.upToDate++;
    else {
      const again = sealedAgain(ring, sealed, sealContext(kind, id));
      if (!again) count.unreadable++;
      else {
        await database.query(`update ${table} set ${column} = $2 where (${rowId})::text = $1 and ${column} = $3`, [
          id,
          again,
          sealed,
        ]);
        count.resealed++;
      }
    }
  }
  return count;
}

function sealedAgain(ring: KeyRing, sealed: Buffer, context: Parameters<KeyRing['seal']>[1]): Buffer | null {
  try {
    return ring.seal(ring.open(sealed, context), context);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
