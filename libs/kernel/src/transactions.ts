/**
 * Opens the unit of work of an application service. Everything that `work` writes is committed together when its
 * promise resolves, and nothing of it when it rejects. A call inside a running unit joins that unit.
 */
export abstract class Transactions {
  abstract run<T>(work: () => Promise<T>): Promise<T>;

  /**
   * As `run`, for units that are small and many: those that wait at the same time may share one transaction. They see
   * what each other has written, and are committed together or, when one fails after it wrote, run again, each by
   * itself. So `work` may run twice, and must do nothing but read and write the database until it ends.
   */
  abstract together<T>(work: () => Promise<T>): Promise<T>;

  /**
   * The last that a unit does. `work` asks the database for everything it needs before it waits for an answer. A unit
   * that shares its transaction may be committed before the answers are seen, and undoes nothing when it rejects over
   * one of them: whatever would be a reason to has to be an error of the statement.
   */
  abstract lastly<T>(work: () => Promise<T>): Promise<T>;
}
