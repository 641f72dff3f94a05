import { Command } from 'commander';
import { Invalid } from '#kernel/errors';
import type { CommandLine } from '../../command-line.js';
import type { StorageSideSettings } from '../../sides/storage-side.js';

export function backupCommand(cli: CommandLine<StorageSideSettings>): Command {
  const group = new Command('backup').addHelpText('after', '\nExample: cli backup self');
  cli.withApplication(
    group
      .command('self')
      .description("back up the panel's own database and key ring to the destination of backups")
      .option('--keep <count>', "afterwards, delete all but this many of the panel's newest backups")
      .addHelpText(
        'after',
        '\nThe panel keeps running. The file can be opened with SECRETS_KEYS, the key of `cli backups keys --export`,' +
          '\nor the private key of BACKUP_AGE_RECIPIENT. Keep one of them outside this machine.' +
          '\n\nExample: cli backup self --keep 14',
      ),
    async (app, options) => {
      const keep = options.keep === undefined ? null : countOf(options.keep);
      const { SelfBackups } = await import('#libs/backups');
      const backups = app.get(SelfBackups, { strict: false });
      const { key, bytes, sha256, createdAt } = await backups.create();
      const removed = keep === null ? [] : await backups.keepNewest(keep);
      const also = removed.length > 0 ? ` Removed ${removed.length} older.` : '';
      return {
        json: { key, sizeBytes: bytes, sha256, createdAt: createdAt.toISOString(), removed },
        text: `${key} (${bytes} bytes, sha256 ${sha256}).${also}`,
      };
    },
  );
  return group;
}

function countOf(option: unknown): number {
  const count = Number(option);
  if (!Number.isInteger(count) || count < 1) throw Invalid.field('keep', 'must be a whole number greater than 0');
  return count;
}
