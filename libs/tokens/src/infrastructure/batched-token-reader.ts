import { Injectable } from '@nestjs/common';
import { HotReader } from '#platform/database/batching/hot-reader';
import type { TextRow } from '#platform/database/connections/page-connections';
import { tickBatch } from '#platform/database/batching/tick-batch';
import { TokenReader, type TokenHolder } from '../application/ports/token-reader.js';

const COLUMNS = `encode(t.token_hash, 'hex'), t.id, t.scope, p.id, p.name, p.type
  from tokens.api_tokens t join partners.partners p on p.id = t.partner_id`;
const ONE = { name: 'token-by-hash', text: `select ${COLUMNS} where t.token_hash = $1 and t.revoked_at is null` };
const MANY = {
  name: 'tokens-by-hash',
  text: `select ${COLUMNS} where t.token_hash = any($1) and t.revoked_at is null`,
};

/** Authenticates all requests of one turn of the event loop with one query. */
@Injectable()
export class BatchedTokenReader extends TokenReader {
  private readonly load: (hash: Buffer) => Promise<TokenHolder | null>;

  constructor(private readonly reader: HotReader) {
    super();
    this.load = tickBatch((hashes) => this.lookUp(hashes));
  }

  findByHash(hash: Buffer): Promise<TokenHolder | null> {
    return this.load(hash);
  }

  private async lookUp(hashes: readonly Buffer[]): Promise<(TokenHolder | null)[]> {
    const rows =
      hashes.length === 1 ? await this.reader.texts(ONE, [hashes[0]]) : await this.reader.texts(MANY, [hashes]);
    const byHash = new Map(rows.map((row) => [row[0], holderOf(row)]));
    return hashes.map((hash) => byHash.get(hash.toString('hex')) ?? null);
  }
}

/** None of these columns can be null. */
function holderOf([, tokenId, scope, partnerId, partnerName, partnerType]: TextRow): TokenHolder {
  return { tokenId, scope, partnerId, partnerName, partnerType } as TokenHolder;
}
