import { parentPort } from 'node:worker_threads';
import { Invalid, type Violation } from '#kernel/errors';
import { planDocument } from '../../application/intake/compose-planner.js';
import type { PlanContext } from '../../domain/compose/plan-context.js';
import { readYaml, type YamlReading } from './read-yaml.js';
import { systemThreadId } from './thread-time.js';

/** Above either limit a file is large. Its problems are then listed here and not on the thread that serves requests. */
const FEW_VALUES = 1000;
const FEW_CHARACTERS = 100_000;

export interface ReadTask {
  readonly id: number;
  readonly text: string;
  readonly context: PlanContext;
}

/** Sent before the work begins, so that the deadline covers the reading, but not the wait for a free thread. */
export interface ReadStarted {
  readonly started: number;
  /** The thread whose CPU time counts; null if the system does not report it. */
  readonly threadId: number | null;
}

/** Sent once the YAML is within its bounds. The rest of the work is proportional to the size of the file. */
export interface ReadDone {
  readonly done: number;
}

/** An `Invalid` as plain data, because classes cannot be passed between threads. */
export interface Refused {
  readonly refused: { readonly slug: string; readonly message: string; readonly violations: readonly Violation[] };
}

const THREAD_ID = systemThreadId();

/** Warms up the code. Otherwise the first large file of a thread would take three times as long. */
const WARM_UP_SERVICES = 800;
readYaml(
  `services:\n${Array.from({ length: WARM_UP_SERVICES }, (_, n) => `  web${n}:\n    image: "nginx:${n}"\n`).join('')}`,
);

/** The module of the worker thread. */
export default function readCompose({ id, text, context }: ReadTask): YamlReading | Refused {
  parentPort?.postMessage({ started: id, threadId: THREAD_ID } satisfies ReadStarted);
  const reading = readYaml(text);
  if (reading.root === null || (reading.values <= FEW_VALUES && reading.characters <= FEW_CHARACTERS)) return reading;
  parentPort?.postMessage({ done: id } satisfies ReadDone);
  try {
    planDocument(reading, context);
    return reading;
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const { slug, message, violations } = error;
    return { refused: { slug, message, violations } };
  }
}
