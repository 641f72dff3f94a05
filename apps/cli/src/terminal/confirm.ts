import { createInterface } from 'node:readline/promises';
import { Conflict } from '#kernel/errors';
import type { Options } from '../command-line.js';
import type { Terminal } from './terminal.js';
import { WrongUsage } from '../wrong-usage.js';

/**
 * Checks early that confirmation is possible, for commands that do some work before they ask.
 * @throws WrongUsage without `--yes` if there is no terminal
 */
export function assertCanAsk(options: Options, { input }: Terminal): void {
  if (options.yes === true || input.isTTY) return;
  throw new WrongUsage('confirmation-required', 'No terminal to ask for confirmation. Repeat the command with --yes.');
}

/**
 * Asks for confirmation of something that cannot be undone. `--yes` skips the question.
 * @throws WrongUsage without `--yes` if there is no terminal
 * @throws Conflict `not-confirmed` for any answer but yes
 */
export async function confirm(question: string, options: Options, terminal: Terminal): Promise<void> {
  if (options.yes === true) return;
  assertCanAsk(options, terminal);
  const { input, err } = terminal;
  const dialogue = createInterface({ input, output: err });
  try {
    const answer = await dialogue.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Conflict('not-confirmed', 'Nothing was changed.');
  } finally {
    dialogue.close();
  }
}
