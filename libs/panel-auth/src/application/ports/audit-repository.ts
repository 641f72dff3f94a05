import type { Uuid } from '#kernel/crypto/uuid';
import type { AuditAction, AuditEntry } from '../../domain/audit-entry.js';

export interface AuditFilter {
  readonly action: AuditAction | null;
  readonly userId: Uuid | null;
  readonly organisationId: Uuid | null;
}

/** An entry as people read it. */
export interface ShownAuditEntry extends AuditEntry {
  /** The present address of the user; null without one. */
  readonly userEmail: string | null;
}

export interface AuditPage {
  readonly entries: readonly ShownAuditEntry[];
  readonly total: number;
}

export abstract class AuditRepository {
  abstract append(entry: AuditEntry): Promise<void>;
  /** Newest first; `page` counts from 1. */
  abstract page(filter: AuditFilter, page: number, pageSize: number): Promise<AuditPage>;
}
