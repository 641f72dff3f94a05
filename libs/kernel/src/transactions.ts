/**
 * Opens the unit of work of an application service. Everything that `work` writes is committed together when its
 * promise resolves, and nothing of it when it rejects. A call inside a running unit joins that unit.
 */
export abstract class Transactions {
  abstract run<T>(work: () => Promise<T>): Promise<T>;
}
