import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

export interface SeededPartner {
  readonly index: number;
  readonly id: string;
  readonly parentId: string | null;
  readonly type: 'operator' | 'distributor' | 'reseller' | 'hoster';
  /** The operator is on level 0. */
  readonly level: number;
}

/** Number of partners on each level below the operator: 1,000 in all. */
const LEVELS = [
  { count: 10, type: 'distributor' },
  { count: 90, type: 'reseller' },
  { count: 200, type: 'reseller' },
  { count: 300, type: 'hoster' },
  { count: 400, type: 'hoster' },
] as const;

/** The same tree every time. The numbers of children differ a lot: the first parents have most. */
export function partnerTree(): SeededPartner[] {
  const partners: SeededPartner[] = [{ index: 0, id: idOf('partner', 0), parentId: null, type: 'operator', level: 0 }];
  for (const [depth, { count, type }] of LEVELS.entries()) {
    const parents = partners.filter(({ level }) => level === depth);
    for (let i = 0; i < count; i++) {
      const index = partners.length;
      const parent = parents[Math.floor(parents.length * share(index) ** 2)]!;
      partners.push({ index, id: idOf('partner', index), parentId: parent.id, type, level: depth + 1 });
    }
  }
  return partners;
}

/** A UUID derived only from what it names. */
export function idOf(kind: string, index: number): string {
  const hex = createHash('md5').update(`${kind}${index}`).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export async function insertPartners(pool: Pool, partners: readonly SeededPartner[]): Promise<void> {
  await pool.query(
    `insert into partners.partners (id, name, type, parent_id, created_at)
     select id, 'Partner ' || number, type, parent_id, '2024-01-01'
       from unnest($1::uuid[], $2::int[], $3::text[], $4::uuid[]) as p (id, number, type, parent_id)`,
    [
      partners.map(({ id }) => id),
      partners.map(({ index }) => index),
      partners.map(({ type }) => type),
      partners.map(({ parentId }) => parentId),
    ],
  );
  await pool.query(
    `insert into partners.subtrees (ancestor_id, descendant_id, depth)
     with recursive pairs (ancestor_id, descendant_id, depth) as (
       select id, id, 0 from partners.partners
       union all
       select pairs.ancestor_id, p.id, pairs.depth + 1
         from pairs join partners.partners p on p.parent_id = pairs.descendant_id
     )
     select ancestor_id, descendant_id, depth from pairs`,
  );
}

/** A number from 0 to 1 that looks random and is always the same for the same index. */
function share(index: number): number {
  return createHash('md5').update(`share${index}`).digest().readUInt32BE(0) / 2 ** 32;
}
