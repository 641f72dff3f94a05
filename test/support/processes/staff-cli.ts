import { PassThrough, Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import type { Clock } from '#kernel/time/clock';
import { runProgram } from '../../../apps/cli/src/program.js';

export interface CliAnswer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The parsed output of a call with --json. */
  readonly json: any;
}

/**
 * Runs a command of the staff CLI in this process. With `application` it uses a running application, which saves the
 * second that starting one takes.
 * @param columns width of the terminal; without it the output is a pipe
 */
export async function staffCli(
  env: Record<string, string>,
  args: readonly string[],
  input = '',
  clock?: Clock,
  application?: INestApplicationContext,
  columns?: number,
): Promise<CliAnswer> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  if (columns !== undefined) Object.assign(out, { isTTY: true, columns });
  const terminal = { env, out: out as never, err: err as never, input: Readable.from([input]), clock, application };
  const code = await runProgram(args, terminal);
  const text = (stream: PassThrough) => (stream.read() as Buffer | null)?.toString('utf8') ?? '';
  const printed = text(out);
  return { code, out: printed, err: text(err), json: args.includes('--json') ? parsed(printed) : undefined };
}

/** A command that was used wrongly prints no JSON. */
function parsed(printed: string): unknown {
  return printed === '' ? undefined : JSON.parse(printed);
}
