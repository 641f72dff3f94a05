/** Makes large offsets into the list of licenses fast. Lists are correct without it, only slower. */
export abstract class ListMarks {
  /**
   * Adds licenses issued up to `horizon` to the marks.
   * @param spacing licenses between two marks
   */
  abstract extend(horizon: Date, spacing: number): Promise<void>;
}
