import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command } from 'commander';
import { DomainError, NotFound } from '#kernel/errors';
import { createLogger, NestPinoLogger } from '#platform/logging';
import { startFailure } from '#platform/run-process';
import type { StaffSettings } from './cli.config.js';
import { CliModule } from './cli.module.js';
import { printError, printResult, type CommandResult } from './output.js';
import type { Side } from './sides/side.js';
import type { Terminal } from './terminal.js';
import { NothingNamed } from './nothing-named.js';
import { WrongUsage } from './wrong-usage.js';

export const EXIT_USAGE = 2;

/** Options as commander parsed them; each command reads its own by name. */
export type Options = Readonly<Record<string, unknown>>;

/** Turns the functions of the commands into a program with the exit codes and the output rules of the staff CLI. */
export class CommandLine<S extends StaffSettings = StaffSettings> {
  private settingsRead: S | null = null;

  constructor(
    private readonly side: Side<S>,
    private readonly terminal: Terminal,
    private readonly exit: (code: number) => void,
  ) {}

  get settings(): S {
    this.settingsRead ??= this.side.settings(this.terminal.env);
    return this.settingsRead;
  }

  /** A command that needs the application: it is started before and closed after the work. */
  withApplication(
    command: Command,
    work: (
      app: INestApplicationContext,
      options: Options,
      args: readonly string[],
    ) => Promise<CommandResult & { exitCode?: number }>,
  ): Command {
    return this.plain(command, async (options, args) => {
      if (this.terminal.application) return work(this.terminal.application, options, args);
      const logger = new NestPinoLogger(createLogger('cli', this.settings.LOG_LEVEL, this.terminal.err));
      const module = CliModule.forSide(this.side, this.settings, this.terminal.clock);
      const app = await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
      try {
        return await work(app, options, args);
      } finally {
        await app.close();
      }
    });
  }

  /** A command that brings its own connections, such as `migrate` and `doctor`. `exitCode` of the result wins over 0. */
  plain(
    command: Command,
    work: (options: Options, args: readonly string[]) => Promise<CommandResult & { exitCode?: number }>,
  ): Command {
    return command.option('--json', 'print one JSON document and nothing else').action(async (...given: unknown[]) => {
      const options = (given.at(-1) as Command).opts<Options>();
      const args = given.slice(0, -2).filter((arg): arg is string => typeof arg === 'string');
      const asJson = options.json === true;
      try {
        const result = await work(options, args);
        printResult(result, asJson, this.terminal.out);
        this.exit(result.exitCode ?? 0);
      } catch (error) {
        this.fail(error instanceof NotFound ? new NothingNamed(options, args) : error, asJson);
      }
    });
  }

  private fail(error: unknown, asJson: boolean): void {
    const isTold = error instanceof DomainError || error instanceof WrongUsage;
    const code = isTold ? error.slug : 'failed';
    const message = isTold ? error.message : startFailure(error);
    if (asJson) printError({ code, message }, this.terminal.out);
    else this.terminal.err.write(`${message}\n`);
    this.exit(error instanceof WrongUsage ? EXIT_USAGE : 1);
  }
}
