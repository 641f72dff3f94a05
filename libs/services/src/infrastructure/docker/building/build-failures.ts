import { BuildFailed, type BuildLimits } from '../../../application/ports/git/image-builder.js';

const KILLED = 137;
/** What shells and common languages print when no process could be started. */
const NO_PROCESS = /can't fork|fork: retry|cannot fork|Resource temporarily unavailable|EAGAIN/;

/** How a failed step is reported by the classic builder, by BuildKit in engines of 2020, and by later BuildKit. */
const ENDS = [
  /The command '(?:\/bin\/sh -c )?(?<command>[\s\S]*)' returned a non-zero code: (?<code>\d+)/,
  /executor failed running \[(?:\/bin\/sh -c )?(?<command>[\s\S]*)\]: exit code: (?<code>\d+)/,
  /process "(?:\/bin\/sh -c )?(?<command>[\s\S]*)" did not complete successfully: exit code: (?<code>\d+)/,
];

/**
 * The reason why a build failed, for the author of the Dockerfile.
 * @param said the end of the build's own output
 */
export function buildFailure(told: string, said: string, { memoryMb, processes }: BuildLimits): BuildFailed {
  const found = ENDS.map((end) => end.exec(told)?.groups).find((groups) => groups !== undefined);
  const code = Number(found?.['code'] ?? Number.NaN);
  const command = found?.['command'];
  const step = command === undefined ? 'A step' : `"${command.replace(/\s+/g, ' ').slice(0, 120)}"`;
  if (code === KILLED)
    return new BuildFailed(`${step} was killed: it needed more memory than the ${memoryMb} MB that a build may use.`);
  if (Number.isInteger(code) && NO_PROCESS.test(said))
    return new BuildFailed(`${step} failed: it needed more than the ${processes} processes that a build may run.`);
  if (Number.isInteger(code)) return new BuildFailed(`${step} ended with ${code}. See the log.`);
  return new BuildFailed(told.replace(/\s+/g, ' ').slice(0, 300));
}
