import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { PanelIdentity } from '../../application/ports/panel-identity.js';

/** Made with the schema and never changed, so that it is read once. */
export class SqlPanelIdentity extends PanelIdentity {
  #name: string | null = null;

  constructor(
    private readonly transactions: TypeOrmTransactions,
    /** Of several panels that are told apart by a setting. */
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
