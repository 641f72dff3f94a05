import { Command } from 'commander';
import type { CommandLine } from '../../command-line.js';
import { findLicenses } from './licenses-find.js';
import { addTransfer } from './licenses-transfer.js';

export function licensesCommand(cli: CommandLine): Command {
  const group = new Command('licenses');
  findLicenses(cli, group);
  addTransfer(cli, group);
  return group;
}
