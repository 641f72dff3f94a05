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
/** Prints the mark only after the program has succeeded. */
const MARKED = ['sh', '-c', '"$@" && printf %s "$PANEL_END_MARK"', 'sh'];

/** Runs a database server's tools in its own container, so that they always have the server's version. */
@Injectable()
export class DatabasePrograms {
  constructor(
    private readonly streams: ContainerStreams,
    private readonly randomness: Randomness,
  ) {}

  /**
   * The output of a dump program. The stream ends only after all output has arrived and the program has succeeded.
   * @param onStderr receives the program's stderr, completely before the output ends
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
    // An error before anybody reads must not end the process; the reader gets it when it starts.
    complete.on('error', () => undefined);
    pipeline(program.stdout, complete, () => undefined);
    return complete;
  }

  /** The output of a program as text, at most 64 MiB. @throws BackupFailed when it prints more or does not succeed */
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
   * Writes a stream to the stdin of a program. The stream is read to its end even if the program does not read all of
   * it, because the stream's integrity is checked at its end.
   * @returns the end of the program's stderr
   * @throws BackupFailed when the program does not succeed; the error of the stream if that fails
   */
  async feed(target: DatabaseTarget, command: Command, data: Readable, signal: AbortSignal): Promise<string> {
    // The stream may fail while the program is starting, when nothing else listens for errors yet.
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

  /** Starts an interactive client of the database. @param echo see `ClientSession` */
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
