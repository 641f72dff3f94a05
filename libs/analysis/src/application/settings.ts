export abstract class AnalysisSettings {
  /** For all questions of one analysis together. */
  abstract readonly timeoutMs: number;
  abstract readonly tokensPerDay: number;
  /** What the files of a question may take. */
  abstract readonly inputTokens: number;
}
