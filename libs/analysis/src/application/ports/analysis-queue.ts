import type { Uuid } from '#kernel/crypto/uuid';

export abstract class AnalysisQueue {
  abstract send(analysisIds: readonly Uuid[]): Promise<void>;
}
