/** Makes large offsets into the list of customers fast. Lists are correct without it, only slower. */
export abstract class CustomerListMarks {
  /**
   * Adds customers created up to `horizon` to the marks.
   * @param spacing customers between two marks
   */
  abstract extend(horizon: Date, spacing: number): Promise<void>;
}
