export abstract class AnalysisSettings {
  /** Time limit for all questions of one analysis together. */
  abstract readonly timeoutMs: number;
  abstract readonly tokensPerDay: number;
  /** Maximum number of tokens for the files of a question. */
  abstract readonly inputTokens: number;
}
