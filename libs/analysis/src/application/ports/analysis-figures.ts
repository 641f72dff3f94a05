/** The metrics of analyses. */
export abstract class AnalysisFigures {
  /** @param outcome `completed`, `cached` or the code of the failure */
  abstract finished(outcome: string, seconds: number): void;
  /** @param outcome `ok` or the code of the failure */
  abstract asked(outcome: string, tokens: number, seconds: number): void;
}
