import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { DomainError, NotFound } from '#kernel/errors';
import { startFailure } from '#platform/run-process';
import type { StaffSettings } from './cli.config.js';
import { EXIT_USAGE } from './exit-codes.js';
import { printError, printResult, type CommandResult } from './terminal/output.js';
import type { Side } from './sides/side.js';
import type { Terminal } from './terminal/terminal.js';
import { NothingNamed } from './nothing-named.js';
import { WrongUsage } from './wrong-usage.js';

/** Options as parsed by commander. Each command reads its own by name. */
export type Options = Readonly<Record<string, unknown>>;

/** Wraps the functions of commands with the exit codes and output rules of the staff CLI. */
export class CommandLine<S extends StaffSettings = StaffSettings> {
  private settingsRead: S | null = null;

  /** @param loadSide called only when a command runs, so that help and wrong usage do not load its code */
  constructor(
    private readonly loadSide: () => Promise<Side<S>>,
    private readonly terminal: Terminal,
    private readonly exit: (code: number) => void,
  ) {}

  async settings(): Promise<S> {
    this.settingsRead ??= (await this.loadSide()).settings(this.terminal.env);
    return this.settingsRead;
  }

  /** Registers a command that needs the application, which is started before it and closed after it. */
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
      const { startApplication } = await import('./start-application.js');
      const app = await startApplication(await this.loadSide(), await this.settings(), this.terminal);
      try {
        return await work(app, options, args);
      } finally {
        await app.close();
      }
    });
  }

  /**
   * Registers a command that opens its own connections, such as `migrate` and `doctor`. `exitCode` of the result wins
   * over 0.
   */
  plain(
    command: Command,
    work: (options: Options, args: readonly string[]) => Promise<CommandResult & { exitCode?: number }>,
  ): Command {
    command.option('--json', 'print one JSON document and nothing else');
    command.option('--wide', 'do not shorten columns to the width of the terminal');
    return command.action(async (...given: unknown[]) => {
      const options = (given.at(-1) as Command).opts<Options>();
      const args = given.slice(0, -2).filter((arg): arg is string => typeof arg === 'string');
      const asJson = options.json === true;
      try {
        const result = await work(options, args);
        printResult(result, asJson, this.terminal.out, options.wide === true);
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
