import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { PanelIdentity } from '../../application/ports/panel-identity.js';

/** Created with the schema and never changed, so it is read only once. */
export class SqlPanelIdentity extends PanelIdentity {
  #name: string | null = null;

  constructor(
    private readonly transactions: TypeOrmTransactions,
    /** For several panels that a setting distinguishes. */
    private readonly instance: string | null,
  ) {
    super();
  }

  async name(): Promise<string> {
    this.#name ??= await this.read();
    return this.#name;
  }

  private async read(): Promise<string> {
    const rows: { id: Uuid }[] = await this.transactions.reader.query('select id from services.installation');
    return ['panel', ...(this.instance === null ? [] : [this.instance]), rows[0]?.id].join('-');
  }
}
