import { AsyncWriter } from '@mongosh/async-rewriter2';
import { EJSON } from 'bson';
import { setImmediate } from 'node:timers/promises';
import { createContext, runInContext } from 'node:vm';

/** MongoDB's shell awaits promises with this property by itself. */
const AWAITED = Symbol.for('@@mongosh.syntheticPromise');

export interface KeptCollection {
  readonly type: 'collection' | 'view' | 'timeseries';
  readonly options: object;
  readonly documents: readonly object[];
}

/**
 * Runs scripts for MongoDB's shell against a server in memory. The shell's own rewriter makes them asynchronous, and each
 * call of the server returns a promise, as in the shell.
 */
export class MongoShell {
  readonly collections = new Map<string, KeptCollection>();
  readonly parameters: Record<string, unknown> = { ttlMonitorEnabled: true };
  /** Number of changes so far. */
  changes = 0;
  /** The change at which the connection is lost. */
  endsAt = Number.POSITIVE_INFINITY;

  constructor(private readonly started: Readonly<Record<string, string>> = {}) {}

  /** @returns the output of the script @throws an Error with its stderr when it fails */
  async run(script: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const said: string[] = [];
    const complaints: string[] = [];
    const writer = new AsyncWriter();
    const context = createContext({
      db: this.#database(),
      EJSON,
      Promise,
      Symbol,
      process: { env: environment, stderr: { write: (text: string) => void complaints.push(text) } },
      print: (text: string) => void said.push(text),
      quit: () => undefined,
    });
    runInContext(writer.runtimeSupportCode(), context);
    await (runInContext(writer.process(script), context) as Promise<unknown>);
    if (complaints.length > 0) throw new Error(complaints.join('').trim());
    return said.join('\n');
  }

  #database(): object {
    const database: Record<string, unknown> = {
      auth: () => awaited(() => ({ ok: 1 })),
      version: () => awaited(() => '7.0.28'),
      getCollectionInfos: () =>
        awaited(() => [...this.collections].map(([name, { type, options }]) => ({ name, type, options }))),
      runCommand: (command: Record<string, unknown>) => awaited(() => this.#command(command)),
      getCollection: (name: string) => this.#collection(name),
    };
    database.getSiblingDB = () => database;
    return database;
  }

  #command({ create, setParameter, ...rest }: Record<string, unknown>): object {
    // The shell's own types of numbers become plain numbers in the server.
    const options = JSON.parse(JSON.stringify(rest)) as object;
    if (typeof create === 'string') this.#change(() => this.#create(create, options));
    else if (setParameter !== undefined) Object.assign(this.parameters, rest);
    return { ok: 1, parsed: { setParameter: this.started } };
  }

  #create(name: string, options: object): void {
    if (this.collections.has(name)) throw new Error(`Collection ${name} already exists.`);
    this.collections.set(name, { type: 'viewOn' in options ? 'view' : 'collection', options, documents: [] });
  }

  #collection(name: string): object {
    const documents = () => this.collections.get(name)?.documents ?? [];
    return {
      getIndexes: () => awaited(() => [{ v: 2, key: { _id: 1 }, name: '_id_' }]),
      countDocuments: () => awaited(() => documents().length),
      findOne: () => awaited(() => documents()[0] ?? null),
      insertOne: (document: object) =>
        awaited(() =>
          this.#change(() => {
            if (!this.collections.has(name)) this.#create(name, {});
            this.collections.set(name, { ...this.collections.get(name)!, documents: [...documents(), document] });
          }),
        ),
      drop: () => awaited(() => this.collections.has(name) && this.#change(() => this.collections.delete(name))),
      renameCollection: (target: string, dropTarget = false) =>
        awaited(() => this.#change(() => this.#rename(name, target, dropTarget))),
    };
  }

  #rename(name: string, target: string, dropTarget: boolean): void {
    const found = this.collections.get(name);
    if (found?.type !== 'collection') throw new Error(`${name} cannot be renamed`);
    if (this.collections.has(target) && !dropTarget) throw new Error('target namespace exists');
    this.collections.delete(name);
    this.collections.set(target, found);
  }

  #change<T>(work: () => T): T {
    this.changes += 1;
    if (this.changes >= this.endsAt) throw new Error('connection closed');
    return work();
  }
}

function awaited<T>(work: () => T): Promise<T> {
  return Object.defineProperty(setImmediate().then(work), AWAITED, { value: true });
}
