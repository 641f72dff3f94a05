/**
 * Opens the transaction of an application service. Everything that `work` writes is committed together when its promise
 * resolves, and nothing of it when it rejects. The transaction travels with the asynchronous context: a call inside a
 * running transaction joins it.
 */
export abstract class Transactions {
  abstract run<T>(work: () => Promise<T>): Promise<T>;
}
