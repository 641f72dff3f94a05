import { Command } from 'commander';
import type { CommandLine } from '../command-line.js';
import { addTransfer } from './licenses-transfer.js';

export function licensesCommand(cli: CommandLine): Command {
  const group = new Command('licenses');
  addTransfer(cli, group);
  return group;
}
