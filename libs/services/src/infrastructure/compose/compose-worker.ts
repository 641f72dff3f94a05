import { parentPort } from 'node:worker_threads';
import { readYaml, type YamlReading } from './read-yaml.js';
import { systemThreadId } from './thread-time.js';

export interface ReadTask {
  readonly id: number;
  readonly text: string;
}

/** Told before the work begins, so that the deadline counts the reading and not the wait for a free thread. */
export interface ReadStarted {
  readonly started: number;
  /** Whose processor time counts; null where nobody can tell. */
  readonly threadId: number | null;
}

const THREAD_ID = systemThreadId();

/** The module of the worker thread. */
export default function readCompose({ id, text }: ReadTask): YamlReading {
  parentPort?.postMessage({ started: id, threadId: THREAD_ID } satisfies ReadStarted);
  return readYaml(text);
}
