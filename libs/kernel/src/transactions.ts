/**
 * Opens the transaction of an application service. When the promise of `work` resolves, everything it wrote is
 * committed together; when it rejects, everything is rolled back. The transaction travels with the asynchronous
 * context: a call inside a running transaction joins it.
 */
export abstract class Transactions {
  abstract run<T>(work: () => Promise<T>): Promise<T>;
}
