import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { KeyRing, SealContext } from '#platform/key-ring';
import { GitHostSettings, type HostAccess } from '../../../application/ports/git/git-host-settings.js';
import { NO_PREVIEWS, type PreviewSettings } from '../../../domain/git/preview-source.js';

type Provider = HostAccess['provider'];

/** Each token is sealed with the key ring, bound to its service. */
export class SqlGitHostSettings extends GitHostSettings {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    /** Null if this process can neither open nor seal secrets. */
    private readonly keyRing: KeyRing | null,
  ) {
    super();
  }

  async previews(serviceId: Uuid): Promise<PreviewSettings> {
    const [row]: PreviewSettings[] = await this.transactions.reader.query(
      `select previews as enabled, preview_hours as hours, preview_variables as variables
         from services.git_host_settings where service_id = $1`,
      [serviceId],
    );
    return row ?? NO_PREVIEWS;
  }

  async savePreviews(serviceId: Uuid, { enabled, hours, variables }: PreviewSettings): Promise<void> {
    await this.transactions.writer.query(
      `insert into services.git_host_settings (service_id, previews, preview_hours, preview_variables)
       values ($1, $2, $3, $4)
       on conflict (service_id) do update set previews = $2, preview_hours = $3, preview_variables = $4`,
      [serviceId, enabled, hours, variables],
    );
  }

  async host(serviceId: Uuid): Promise<HostAccess> {
    const [row]: { provider: Provider; token: Buffer | null }[] = await this.transactions.reader.query(
      `select status_provider as provider, sealed_token as token
         from services.git_host_settings where service_id = $1`,
      [serviceId],
    );
    if (!row) return { provider: null, token: null };
    const open = (sealed: Buffer) => new SecretText(this.keys.open(sealed, contextOf(serviceId)).toString('utf8'));
    return { provider: row.provider, token: row.token && open(row.token) };
  }

  async shownHost(serviceId: Uuid): Promise<{ readonly provider: Provider; readonly hasToken: boolean }> {
    const [row]: { provider: Provider; hasToken: boolean }[] = await this.transactions.reader.query(
      `select status_provider as provider, sealed_token is not null as "hasToken"
         from services.git_host_settings where service_id = $1`,
      [serviceId],
    );
    return row ?? { provider: null, hasToken: false };
  }

  async saveHost(serviceId: Uuid, { provider, token }: Partial<HostAccess>, at: Date): Promise<void> {
    const { writer } = this.transactions;
    await writer.query('insert into services.git_host_settings (service_id) values ($1) on conflict do nothing', [
      serviceId,
    ]);
    if (provider !== undefined)
      await writer.query('update services.git_host_settings set status_provider = $2 where service_id = $1', [
        serviceId,
        provider,
      ]);
    if (token === undefined) return;
    const sealed = token && this.keys.seal(token.reveal(), contextOf(serviceId));
    await writer.query(
      'update services.git_host_settings set sealed_token = $2, status_since = $3 where service_id = $1',
      [serviceId, sealed, sealed && at],
    );
  }

  private get keys(): KeyRing {
    if (!this.keyRing) throw new Error('a token cannot be opened without keys');
    return this.keyRing;
  }
}

function contextOf(serviceId: Uuid): SealContext {
  const place = { table: 'services.git_host_settings', column: 'sealed_token' };
  return { purpose: 'services.git_host_settings', ...place, rowId: serviceId };
}
