import type { Uuid } from '#kernel/crypto/uuid';
import type { AuditAction, AuditEntry } from '../../domain/audit-entry.js';

export interface AuditFilter {
  readonly action: AuditAction | null;
  readonly userId: Uuid | null;
  readonly organisationId: Uuid | null;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly total: number;
}

export abstract class AuditRepository {
  abstract append(entry: AuditEntry): Promise<void>;
  /** Newest first; `page` counts from 1. */
  abstract page(filter: AuditFilter, page: number, pageSize: number): Promise<AuditPage>;
}
