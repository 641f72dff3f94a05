import type { PartnerAccount } from '#libs/partners';
import type { BillingDate } from '#kernel/time/calendar-date';
import type { BillingPeriod } from '#kernel/time/billing-period';
import type { Money } from '#kernel/money/money';
import type { Uuid } from '#kernel/crypto/uuid';
import type { ExportedFile } from '../../domain/statements/statement-file.js';
import type { Statement } from '../../domain/statements/statement.js';

/** The stored figures. */
export interface StoredFigures {
  readonly number: number;
  /** Hash of everything that is printed or proven. */
  readonly contentsHash: string;
  readonly totals: readonly Money[];
}

export interface StatementRecord {
  readonly statement: Statement;
  readonly figures: StoredFigures;
  /** The previous figures, which somebody may still be reading. */
  readonly previousFigures: number | null;
}

export interface StatementFilter {
  readonly partnerId: Uuid | null;
  readonly period: BillingPeriod | null;
  readonly needsCorrection: boolean;
}

export abstract class StatementRepository {
  abstract insert(record: StatementRecord): Promise<void>;
  /** Stores what a statement may change, including the flag. */
  abstract update(record: StatementRecord): Promise<void>;
  /** Records the statement's current review. */
  abstract addReview(statement: Statement): Promise<void>;
  abstract addDigests(id: Uuid, digests: ReadonlyMap<ExportedFile, Buffer>): Promise<void>;
  abstract digest(id: Uuid, file: ExportedFile): Promise<Buffer | null>;
  /** The latest revision of the month, which may be a draft. */
  abstract latest(account: PartnerAccount, period: BillingPeriod): Promise<StatementRecord | null>;
  abstract find(account: PartnerAccount, id: Uuid): Promise<StatementRecord | null>;
  /** Finalized and superseded ones, latest month and revision first. */
  abstract listLocked(account: PartnerAccount): Promise<StatementRecord[]>;
  /** For staff: all states, by month (latest first), partner and revision. */
  abstract list(filter: StatementFilter): Promise<StatementRecord[]>;
  /** For staff, who may name any statement: its partner. */
  abstract ownerOf(id: Uuid): Promise<Uuid | null>;
  /** Partners that may have something to bill, by id. */
  abstract billablePartners(period: BillingPeriod): Promise<Uuid[]>;
  /** Flags, for each partner, the finalized statements of the months from its day on. */
  abstract flag(days: ReadonlyMap<Uuid, BillingDate>, since: Date): Promise<void>;
}
