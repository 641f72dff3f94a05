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

/** What analyses tell those who watch them. */
export abstract class AnalysisEvents {
  /** Whoever calls it holds the lock of the analysis, or has inserted it in this transaction. */
  abstract append(event: Omit<AnalysisEvent, 'seq'>): Promise<void>;
  /** In their order. @param known by analysis: the last event that is known, 0 for none */
  abstract after(known: ReadonlyMap<Uuid, number>, limit: number): Promise<readonly AnalysisEvent[]>;
  /** The number of the newest event; null for an analysis that does not exist in the scope. */
  abstract last(scope: OrganisationScope, analysisId: Uuid): Promise<number | null>;
}
