import { Command } from 'commander';
import type { CommandLine } from '../command-line.js';
import type { StorageSideSettings } from '../sides/storage-side.js';
import { backupsKeys } from './backups-keys.js';

export function backupsCommand(cli: CommandLine<StorageSideSettings>): Command {
  const group = new Command('backups').addHelpText('after', '\nExample: cli backups keys');
  group.addCommand(backupsKeys(cli));
  return group;
}
