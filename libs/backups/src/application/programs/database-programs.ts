import { Injectable } from '@nestjs/common';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Randomness } from '#kernel/crypto/randomness';
import { SecretText } from '#kernel/crypto/secret-text';
import { ContainerStreams, type ProgramEnd, type RunningProgram, type StreamedCommand } from '#libs/services';
import { type Command, resolveText } from '#libs/templates';
import { BackupFailed } from '../../domain/backup-errors.js';
import type { DatabaseTarget } from './database-target.js';
import { EndMark } from './end-mark.js';
import { programFailure } from './program-failure.js';
import { ClientSession } from './session.js';

const MAX_TEXT_BYTES = 64 * 2 ** 20;
const MARK_BYTES = 24;
/** Prints the mark only after the program before it succeeded. */
const MARKED = ['sh', '-c', '"$@" && printf %s "$PANEL_END_MARK"', 'sh'];

/** Runs the tools of a database server in its own container: those of its own version, and never others. */
@Injectable()
export class DatabasePrograms {
  constructor(
    private readonly streams: ContainerStreams,
    private readonly randomness: Randomness,
  ) {}

  /**
   * The output of a dump program. It ends only when all of it has come and the program has succeeded.
   * @param onStderr gets what the program says besides, all of it before the output ends
   */
  async output(
    target: DatabaseTarget,
    command: Command,
    signal: AbortSignal,
    onStderr?: (chunk: Buffer) => void,
  ): Promise<Readable> {
    const mark = this.randomness.bytes(MARK_BYTES).toString('hex');
    const program = await this.start(
      target,
      {
        command: [...MARKED, ...command.command],
        environment: { ...command.environment, PANEL_END_MARK: mark },
      },
      signal,
      { ...(onStderr && { onStderr }) },
    );
    const complete = new EndMark(mark, () => this.succeeded(target, command, program));
    // Whoever reads hears of it then.
    complete.on('error', () => undefined);
    pipeline(program.stdout, complete, () => undefined);
    return complete;
  }

  /** What a program prints, which must be little. @throws BackupFailed unless it succeeds */
  async text(target: DatabaseTarget, command: Command, signal: AbortSignal, stdin?: string): Promise<string> {
    const input = stdin === undefined ? undefined : Readable.from([Buffer.from(stdin)]);
    const program = await this.start(target, command, signal, { ...(input && { stdin: input }) });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of program.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_TEXT_BYTES) throw new BackupFailed('The database answered with more than the panel reads.');
      chunks.push(chunk);
    }
    await this.succeeded(target, command, program);
    return Buffer.concat(chunks).toString('utf8');
  }

  /**
   * Writes a stream into a program. Also what the program does not read is read to its end: the checks of the stream
   * stand there. @returns the end of what it says on stderr @throws BackupFailed unless it succeeds; the error of the
   * stream
   */
  async feed(target: DatabaseTarget, command: Command, data: Readable, signal: AbortSignal): Promise<string> {
    // It may fail while the program is being started.
    const input = new PassThrough().on('error', () => undefined);
    let failure: unknown;
    data.once('error', (error) => {
      failure = error;
      input.destroy(error);
    });
    data.pipe(input);
    try {
      const program = await this.start(target, command, signal, { stdin: input });
      program.stdout.resume();
      const { stderrTail } = await this.succeeded(target, command, program);
      data.unpipe(input);
      data.resume();
      await finished(data, { writable: false });
      return stderrTail;
    } catch (error) {
      data.destroy();
      throw failure ?? error;
    }
  }

  /** @param echo as for `ClientSession` */
  async session(
    target: DatabaseTarget,
    command: Command,
    echo: (word: string) => string,
    signal: AbortSignal,
  ): Promise<ClientSession> {
    const input = new PassThrough();
    const program = await this.start(target, command, signal, { stdin: input });
    return new ClientSession(program, input, echo, `end-${this.randomness.bytes(MARK_BYTES).toString('hex')}`);
  }

  private start(
    { containerId, secrets }: DatabaseTarget,
    { command, environment }: Command,
    signal: AbortSignal,
    streams: Pick<StreamedCommand, 'stdin' | 'onStderr'> = {},
  ): Promise<RunningProgram> {
    const clear = (name: string) => {
      const value = secrets.get(name);
      if (!value) throw new RangeError(`the method asks for the secret ${name}, which the service lacks`);
      return value.reveal();
    };
    const values = Object.entries(environment).map(
      ([name, text]) => [name, new SecretText(resolveText(text, clear))] as const,
    );
    const given = { argv: command, environment: new Map(values), ...streams };
    return this.streams.run(containerId, given, signal);
  }

  private async succeeded(
    { secrets }: DatabaseTarget,
    { command }: Command,
    program: RunningProgram,
  ): Promise<ProgramEnd> {
    const end = await program.finished;
    if (end.exitCode !== 0) throw programFailure(command[0] ?? 'The program', end, secrets);
    return end;
  }
}
