import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { ApiToken } from '../../libs/tokens/src/domain/api-token.js';
import { BASE62, crc32Base62 } from '#kernel/crypto/base62';
import { idOf, type SeededPartner } from './partner-tree.js';

/**
 * The write token of a partner. It is derived from the partner's number, so a kept database stays usable. The operator
 * has one too, which the product does not allow, because only the operator's subtree is the whole table.
 */
export function tokenOf(partner: Pick<SeededPartner, 'index'>): string {
  const bytes = createHash('sha256').update(`bench token ${partner.index}`).digest();
  const random = Array.from({ length: 30 }, (_, i) => BASE62[bytes[i]! % 62]).join('');
  return `pcp_${random}${crc32Base62(random)}`;
}

export async function insertTokens(pool: Pool, partners: readonly SeededPartner[]): Promise<void> {
  const tokens = partners.map((partner) => ApiToken.parse(tokenOf(partner))!);
  await pool.query(
    `insert into tokens.api_tokens (id, partner_id, label, token_prefix, token_hash, scope, created_by, created_at)
     select id, partner_id, 'bench', prefix, hash, 'write', id, '2024-01-01'
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[]) as t (id, partner_id, prefix, hash)
     on conflict do nothing`,
    [
      partners.map(({ index }) => idOf('token', index)),
      partners.map(({ id }) => id),
      tokens.map(({ prefix }) => prefix),
      tokens.map(({ hash }) => hash),
    ],
  );
}
