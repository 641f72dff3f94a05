import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { Invalid, Unavailable } from '#kernel/errors';
import { ComposeParser } from '../../application/ports/compose-parser.js';
import type { ComposeDocument, YamlDefect } from '../../domain/compose/compose-document.js';
import type { PlanContext } from '../../domain/compose/plan-context.js';
import { FairTurns } from './fair-turns.js';
import type { ReadDone, ReadStarted, ReadTask, Refused } from './compose-worker.js';
import type { YamlReading } from './read-yaml.js';
import { DEADLINE_MS, judgeReading, MAX_READING_MS } from './reading-limits.js';
import { threadTimes } from './thread-time.js';

const MAX_BYTES = 256 * 1024;
const MAX_WAIT_MS = 5000;
/** A thread has a file only when its turn has come, so this is the time to start one, which a busy machine delays. */
const MAX_START_MS = 15_000;
const LEAST_PAUSE_MS = 20;
const THREADS = 2;
/** One file at a time for each tenant, so that another tenant finds a free thread. */
const TURNS = { atOnce: THREADS, atOnceOfOne: 1, waitingOfOne: 32, longestWaitMs: MAX_WAIT_MS };
const THREAD_MEMORY_MB = 128;

/**
 * Reads compose files on worker threads. The thread of a file that takes longer than 200 ms is replaced, so that no
 * file delays the next one. If the machine is busy, which is not the file's fault, the caller is asked to try again.
 * The threads have no environment variables.
 */
export class WorkerComposeParser extends ComposeParser {
  /** Started with the first file, so that a process without files has no threads. */
  #pool: Piscina | null = null;
  readonly #turns = new FairTurns(TURNS, busy);
  readonly #onProgress = new Map<number, (said: ReadStarted | ReadDone) => void>();
  #lastId = 0;

  async parse(source: string | Uint8Array, context: PlanContext): Promise<ComposeDocument> {
    const text = textOf(source);
    // Administrators count as one tenant.
    const reading = await this.#turns.run(context.organisationNetwork.owner, () => this.read(text, context));
    if ('refused' in reading)
      throw new Invalid(reading.refused.slug, reading.refused.message, reading.refused.violations);
    if (reading.root === null) throw unreadable(reading.defects);
    return reading;
  }

  /** Nest calls it when the application ends. */
  async onApplicationShutdown(): Promise<void> {
    await this.#pool?.destroy();
  }

  private threads(): Piscina {
    if (this.#pool) return this.#pool;
    const pool = new Piscina({
      ...workerModule(),
      env: {},
      minThreads: THREADS,
      maxThreads: THREADS,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
    });
    pool.on('message', (said: ReadStarted | ReadDone) =>
      this.#onProgress.get('done' in said ? said.done : said.started)?.(said),
    );
    // A thread that fails without a task is replaced by the pool; a task that fails rejects by itself.
    pool.on('error', () => undefined);
    return (this.#pool = pool);
  }

  private async read(text: string, context: PlanContext): Promise<YamlReading | Refused> {
    const id = (this.#lastId += 1);
    const overrun = new AbortController();
    let timer = setTimeout(() => overrun.abort(busy()), MAX_START_MS);
    this.#onProgress.set(id, (said) => {
      clearTimeout(timer);
      if ('done' in said) {
        timer = setTimeout(() => overrun.abort(busy()), MAX_READING_MS);
        return;
      }
      const { threadId } = said;
      const began = performance.now();
      const start = threadTimes(threadId) ?? { workedMs: 0, waitedMs: 0 };
      const watch = (restMs: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          const wallMs = performance.now() - began;
          // If the system does not report CPU time, all of the time counts.
          const now = threadTimes(threadId) ?? { workedMs: start.workedMs + wallMs, waitedMs: start.waitedMs };
          const times = { workedMs: now.workedMs - start.workedMs, waitedMs: now.waitedMs - start.waitedMs };
          const verdict = judgeReading(wallMs, times);
          if (verdict === 'too-complex') overrun.abort(tooComplex());
          else if (verdict === 'busy') overrun.abort(busy());
          else watch(LEAST_PAUSE_MS);
        }, restMs);
      };
      watch(DEADLINE_MS);
    });
    try {
      const task: ReadTask = { id, text, context };
      return (await this.threads().run(task, { signal: overrun.signal })) as YamlReading | Refused;
    } catch (error) {
      if (overrun.signal.aborted) throw overrun.signal.reason;
      if (isOutOfMemory(error)) throw tooComplex();
      throw new Unavailable('compose-parser-failed', 'The compose file could not be read. Try again.', {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
      this.#onProgress.delete(id);
    }
  }
}

/** The thread runs the compiled file beside this one. From source it needs a TypeScript loader. */
function workerModule(): { filename: string; execArgv: string[] } {
  const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  if (!import.meta.url.endsWith('.ts')) return { filename: beside('./compose-worker.js'), execArgv: [] };
  return {
    filename: beside('./compose-worker.ts'),
    execArgv: ['--conditions=source', '--require', beside('./run-from-source.cjs')],
  };
}

function textOf(source: string | Uint8Array): string {
  const bytes = typeof source === 'string' ? Buffer.byteLength(source) : source.byteLength;
  if (bytes > MAX_BYTES) throw unreadable('The file is larger than 256 KiB.');
  if (typeof source === 'string') return source;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(source);
  } catch {
    throw unreadable('The file is not UTF-8.');
  }
}

function busy(): Unavailable {
  return new Unavailable('compose-parser-busy', 'Too many compose files are waiting.');
}

function tooComplex(): Invalid {
  return unreadable('The file takes too long to read.');
}

function unreadable(reason: string | readonly YamlDefect[]): Invalid {
  const defects = typeof reason === 'string' ? [{ path: '', message: reason }] : reason;
  const violations = defects.map(({ path, message }) => ({ path, code: 'yaml_unreadable', message }));
  return new Invalid('validation_failed', 'The compose file cannot be read.', violations);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
