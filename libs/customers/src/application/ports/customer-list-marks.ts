/** What makes a deep offset into the list of customers cheap. Lists are right without it, only slower. */
export abstract class CustomerListMarks {
  /**
   * Takes what was created up to `horizon` into the marks.
   * @param spacing a mark every so many customers
   */
  abstract extend(horizon: Date, spacing: number): Promise<void>;
}
