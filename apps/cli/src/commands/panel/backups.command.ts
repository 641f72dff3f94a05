import { Command } from 'commander';
import type { CommandLine } from '../../command-line.js';
import type { BackupsSideSettings } from '../../sides/backups-side.js';
import type { Terminal } from '../../terminal/terminal.js';
import { backupsKeys } from './backups-keys.js';
import { backupsOfServices } from './backups-of-services.js';

export function backupsCommand(cli: CommandLine<BackupsSideSettings>, terminal: Terminal): Command {
  const group = new Command('backups').addHelpText('after', '\nExample: cli backups list --service 9c5b94b1-…');
  backupsOfServices(cli, group, terminal);
  group.addCommand(backupsKeys(cli));
  return group;
}
