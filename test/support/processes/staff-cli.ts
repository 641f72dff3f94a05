import { PassThrough, Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import type { Clock } from '#kernel/time/clock';
import { runProgram } from '../../../apps/cli/src/program.js';

export interface CliAnswer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The one JSON document of a call with --json. */
  readonly json: any;
}

/**
 * Runs a command of the staff CLI in this process, with the settings of an installation. With `application` it uses one
 * that runs already, which saves the second that it takes to start one.
 * @param columns of the terminal; into a pipe unless given
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

/** A wrong use prints no document. */
function parsed(printed: string): unknown {
  return printed === '' ? undefined : JSON.parse(printed);
}
