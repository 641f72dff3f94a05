/** Marks positions in the list of licenses, so that large offsets are fast. Lists are correct without marks. */
export abstract class ListMarks {
  /**
   * Adds licenses issued up to `horizon` to the marks.
   * @param spacing licenses between two marks
   */
  abstract extend(horizon: Date, spacing: number): Promise<void>;
}
