/** Marks positions in the list of customers, so that large offsets are fast. Lists are correct without marks. */
export abstract class CustomerListMarks {
  /**
   * Adds customers created up to `horizon` to the marks.
   * @param spacing customers between two marks
   */
  abstract extend(horizon: Date, spacing: number): Promise<void>;
}
