import { SealBroken, type KeyRing } from '../key-ring.js';
import { sealContext, type Queryable, type SealedKind } from './sealed-kind.js';

/**
 * How many values of each kind and key are opened. Enough to detect values sealed by another key with the same name.
 */
const TRIED = 20;

/** The envelope contains the key's name: see KeyRing. */
const keyName = (column: string) => `convert_from(substring(${column} from 3 for get_byte(${column}, 1)), 'LATIN1')`;

export interface SealedFinding {
  readonly kind: SealedKind;
  /** Name of the key that sealed them. */
  readonly keyId: string;
  readonly count: number;
  readonly opens: boolean;
}

interface Group {
  readonly key: string;
  readonly count: number;
  readonly ids: string[];
}

/** Opens some values of every kind and of every key that sealed any. Without a ring nothing opens. */
export async function surveySealed(
  database: Queryable,
  ring: KeyRing | null,
  kinds: readonly SealedKind[],
): Promise<SealedFinding[]> {
  const findings: SealedFinding[] = [];
  for (const kind of kinds) {
    for (const { key, count, ids } of await groupsOf(database, kind)) {
      findings.push({ kind, keyId: key, count, opens: await allOpen(database, ring, kind, ids) });
    }
  }
  return findings;
}

function groupsOf(database: Queryable, { table, column, rowId, where = 'true' }: SealedKind): Promise<Group[]> {
  return database.query<Group[]>(
    `select ${keyName(column)} as key, count(*)::int as count,
            (array_agg((${rowId})::text order by (${rowId})::text))[1:${TRIED}] as ids
       from ${table} t where ${column} is not null and (${where}) group by 1 order by 1`,
  );
}

async function allOpen(database: Queryable, ring: KeyRing | null, kind: SealedKind, ids: string[]): Promise<boolean> {
  if (!ring) return false;
  const { table, column, rowId } = kind;
  const rows = await database.query<{ id: string; sealed: Buffer }[]>(
    `select (${rowId})::text as id, ${column} as sealed from ${table} where (${rowId})::text = any ($1) and ${column} is not null`,
    [ids],
  );
  return rows.every(({ id, sealed }) => {
    try {
      ring.open(sealed, sealContext(kind, id));
      return true;
    } catch (error) {
      if (error instanceof SealBroken) return false;
      throw error;
    }
  });
}
