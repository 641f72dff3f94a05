/** A transaction under way, or a part in one that others share: what is handed it happens in there. */
export abstract class UnitOfWork {
  /** Keeps other objects from passing for one. */
  protected abstract readonly isUnitOfWork: true;
}

/**
 * Opens the unit of work of an application service. Everything that `work` writes is committed together when its
 * promise resolves, and nothing of it when it rejects. A call inside a running unit joins that unit.
 */
export abstract class Transactions {
  abstract run<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;

  /**
   * As `run`, for units that are small and many: those that wait at the same time may share one transaction. They see
   * what each other has written, and are committed together or, when one fails after it wrote, run again, each by
   * itself. So `work` may run twice, and must do nothing but read and write the database until it ends.
   */
  abstract together<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;

  /**
   * As `together`, for what is done most often: `work` hands `unit` to everything that is to happen in it, for nothing
   * finds it otherwise. Node before 24 makes each promise of a process pay for contexts while one is in use.
   */
  abstract inUnit<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;

  /**
   * The last that a unit does. `work` asks the database for everything it needs before it waits for an answer. A unit
   * that shares its transaction may be committed before the answers are seen, and undoes nothing when it rejects over
   * one of them: whatever would be a reason to has to be an error of the statement.
   * @param unit that of the context unless given
   */
  abstract lastly<T>(work: () => Promise<T>, unit?: UnitOfWork): Promise<T>;
}
