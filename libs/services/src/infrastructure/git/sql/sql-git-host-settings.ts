import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { GitHostSettings } from '../../../application/ports/git/git-host-settings.js';
import { NO_PREVIEWS, type PreviewSettings } from '../../../domain/git/preview-source.js';

@Injectable()
export class SqlGitHostSettings extends GitHostSettings {
  constructor(private readonly transactions: TypeOrmTransactions) {
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
}
