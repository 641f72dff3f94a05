import { BuildFailed, type BuildLimits } from '../../../application/ports/git/image-builder.js';

const KILLED = 137;

/** What the engine says of a build that failed, in words for whoever wrote the Dockerfile. */
export function buildFailure(told: string, { memoryMb }: BuildLimits): BuildFailed {
  const code = Number(/returned a non-zero code: (\d+)/.exec(told)?.[1] ?? Number.NaN);
  const command = /The command '(?:\/bin\/sh -c )?([\s\S]*)' returned a non-zero code/.exec(told)?.[1];
  const step = command === undefined ? 'A step' : `"${command.replace(/\s+/g, ' ').slice(0, 120)}"`;
  if (code === KILLED)
    return new BuildFailed(`${step} was killed: it needed more memory than the ${memoryMb} MB that a build may use.`);
  if (Number.isInteger(code)) return new BuildFailed(`${step} ended with ${code}. See the log.`);
  return new BuildFailed(told.replace(/\s+/g, ' ').slice(0, 300));
}
