import { Injectable } from '@nestjs/common';
import { HotReader } from '#platform/database/hot-reader';
import { tickBatch } from '#platform/database/tick-batch';
import { TokenReader, type TokenHolder } from '../application/ports/token-reader.js';

const COLUMNS = `t.token_hash, t.id as "tokenId", t.scope, p.id as "partnerId", p.name as "partnerName", p.type as "partnerType"
  from tokens.api_tokens t join partners.partners p on p.id = t.partner_id`;
const ONE = { name: 'token-by-hash', text: `select ${COLUMNS} where t.token_hash = $1 and t.revoked_at is null` };
const MANY = {
  name: 'tokens-by-hash',
  text: `select ${COLUMNS} where t.token_hash = any($1) and t.revoked_at is null`,
};

type Row = TokenHolder & { token_hash: Buffer };

/** All requests that wait in one turn of the event loop are authenticated by one query. */
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
    if (hashes.length === 1) {
      const rows = await this.reader.rows<Row>(ONE, [hashes[0]]);
      return [rows[0] ? holderOf(rows[0]) : null];
    }
    const rows = await this.reader.rows<Row>(MANY, [hashes]);
    const byHash = new Map(rows.map((row) => [row.token_hash.toString('base64'), holderOf(row)]));
    return hashes.map((hash) => byHash.get(hash.toString('base64')) ?? null);
  }
}

function holderOf({ tokenId, scope, partnerId, partnerName, partnerType }: Row): TokenHolder {
  return { tokenId, scope, partnerId, partnerName, partnerType };
}
