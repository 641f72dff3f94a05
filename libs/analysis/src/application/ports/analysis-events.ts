import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '#libs/services';
import type { AnalysisEventType } from '../../domain/analysis-events.js';

export interface AnalysisEvent {
  readonly analysisId: Uuid;
  /** From 1 in each analysis. */
  readonly seq: number;
  readonly type: AnalysisEventType;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of analyses, for their subscribers. */
export abstract class AnalysisEvents {
  /** The caller must hold the lock of the analysis, or have inserted it in this transaction. */
  abstract append(event: Omit<AnalysisEvent, 'seq'>): Promise<void>;
  /** Returns later events, in order. @param known for each analysis, the number of the last known event; 0 for none */
  abstract after(known: ReadonlyMap<Uuid, number>, limit: number): Promise<readonly AnalysisEvent[]>;
  /** The number of the newest event; null for an analysis that does not exist in the scope. */
  abstract last(scope: OrganisationScope, analysisId: Uuid): Promise<number | null>;
}
