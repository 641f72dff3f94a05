import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { Randomness } from '#kernel/crypto/randomness';
import type { NewAuditEntry } from '../domain/audit-entry.js';
import { AuditRepository, type AuditFilter, type AuditPage } from './ports/audit-repository.js';

/** Who did what. An entry is written in the transaction of the change it reports. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly entries: AuditRepository,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  async record(entry: NewAuditEntry): Promise<void> {
    await this.entries.append({ ...entry, id: this.randomness.uuid(), at: this.clock.now() });
  }

  page(filter: AuditFilter, page: number, pageSize: number): Promise<AuditPage> {
    return this.entries.page(filter, page, pageSize);
  }
}
