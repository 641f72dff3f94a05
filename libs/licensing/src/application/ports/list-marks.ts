/** What makes a deep offset into the list of licenses cheap. Lists are right without it, only slower. */
export abstract class ListMarks {
  /**
   * Takes what was issued up to `horizon` into the marks.
   * @param spacing a mark every so many licenses
   */
  abstract extend(horizon: Date, spacing: number): Promise<void>;
}
