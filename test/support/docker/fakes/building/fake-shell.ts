import { setTimeout as sleep } from 'node:timers/promises';
import { BuildFailed, type BuildLimits } from '../../../../../libs/services/src/application/ports/git/image-builder.js';
import { buildFailure } from '../../../../../libs/services/src/infrastructure/docker/building/build-failures.js';
import type { FakeBuildFile } from './fake-layers.js';

export interface FakeShellWorld {
  readonly files: Map<string, FakeBuildFile>;
  readonly values: ReadonlyMap<string, string>;
  readonly limits: BuildLimits;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

type Command = (words: readonly string[], world: FakeShellWorld) => Promise<number> | number;

const MEGABYTE = 1024 * 1024;
const KILLED = 137;
const SILENT = new Set([':', 'true']);

/** Runs the commands that tests of builds use. @throws the same errors as a failed step on a real engine */
export async function runInFakeShell(step: string, world: FakeShellWorld): Promise<void> {
  const fail = (code: number, said = '') =>
    buildFailure(`The command '/bin/sh -c ${step}' returned a non-zero code: ${code}`, said, world.limits);
  if (/while :; do .*& done/.test(step)) throw fail(2, "can't fork");
  for (const command of step.split(/;|&&/)) {
    const [name = '', ...words] = command.trim().split(/\s+/);
    if (SILENT.has(name)) continue;
    const run = COMMANDS.get(name);
    if (!run) throw new Error(`The fake shell does not know the command ${name}.`);
    const code = await run(words, world);
    world.signal.throwIfAborted();
    if (code !== 0) throw fail(code);
  }
}

const echo: Command = (words, { files, values, say }) => {
  const said = words.join(' ').replace(/\$(\w+)/g, (_, name: string) => values.get(name) ?? '');
  const [text = '', file] = said.split(/\s*>\s*/);
  if (file === undefined) say(`${text}\n`);
  else files.set(file, { text: `${text}\n`, isLink: false });
  return 0;
};

const wait: Command = async ([seconds], { signal }) => {
  // The caller throws the reason.
  await sleep(Number(seconds) * 1000, undefined, { signal }).catch(() => undefined);
  return 0;
};

const writeZeros: Command = (words, { limits: { diskBytes } }) => {
  const count = Number(/count=(\d+)/.exec(words.join(' '))?.[1]);
  if (count * MEGABYTE <= diskBytes) return 0;
  throw new BuildFailed(`A step of the build wrote more than ${Math.round(diskBytes / MEGABYTE)} MB.`);
};

const keepTail: Command = (words, { limits: { memoryMb } }) =>
  Number(/-c (\d+)m/.exec(words.join(' '))?.[1]) > memoryMb ? KILLED : 0;

const sayForEver: Command = async (words, { say, signal }) => {
  while (!signal.aborted) {
    say(`${words.join(' ')}\n`.repeat(1_000));
    await sleep(0);
  }
  return 0;
};

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['echo', echo],
  ['exit', ([code]) => Number(code)],
  ['sleep', wait],
  ['dd', writeZeros],
  ['tail', keepTail],
  ['yes', sayForEver],
]);
