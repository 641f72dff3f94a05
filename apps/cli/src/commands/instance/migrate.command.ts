import { Command } from 'commander';
import type { Migrator } from '#platform/database/migrations/migrator';
import { Conflict } from '#kernel/errors';
import type { CommandLine, Options } from '../../command-line.js';
import { confirm } from '../../terminal/confirm.js';
import type { Terminal } from '../../terminal/terminal.js';

export function migrateCommand(cli: CommandLine, terminal: Terminal): Command {
  const group = new Command('migrate').addHelpText('after', '\nExample: cli migrate');
  cli.plain(
    group
      .command('up', { isDefault: true })
      .description('apply pending migrations, including the job queue (default)')
      .addHelpText('after', '\nExample: cli migrate'),
    () =>
      withMigrator(cli, async (migrator) => {
        const applied = await migrator.up();
        const { REDIS_URL, DATABASE_URL } = await cli.settings();
        const { migrateQueue } = await import('#platform/queue/migrate-queue');
        if (!REDIS_URL) await migrateQueue(DATABASE_URL);
        return { json: { applied }, text: applied.length ? `Applied: ${applied.join(', ')}.` : 'Nothing to apply.' };
      }),
  );
  cli.plain(
    group
      .command('down')
      .description('revert the newest migration and delete the data in the tables it created')
      .option('--yes', 'do not ask for confirmation, and do not check for connected processes')
      .addHelpText('after', '\nExample: cli migrate down --yes'),
    (options) =>
      withMigrator(cli, async (migrator) => {
        const newest = await migrator.newest();
        if (newest && options.yes !== true) await askToUndo(migrator, newest, options, terminal);
        const reverted = await migrator.down();
        return { json: { reverted }, text: reverted ? `Undone: ${reverted}.` : 'Nothing to undo.' };
      }),
  );
  cli.plain(
    group
      .command('status')
      .description('list migrations and whether they are applied')
      .addHelpText('after', '\nExample: cli migrate status --json'),
    () =>
      withMigrator(cli, async (migrator) => {
        const all = await migrator.status();
        const rows = all.map(({ name, applied }) => [name, applied ? 'applied' : 'pending']);
        return { json: all, table: { head: ['migration', 'state'], rows } };
      }),
  );
  return group;
}

/** @throws Conflict if a process of this release is using the schema */
async function askToUndo(migrator: Migrator, newest: string, options: Options, terminal: Terminal): Promise<void> {
  const connected = await migrator.connectedProcesses();
  if (connected.length > 0)
    throw new Conflict('processes-connected', `Stop these first, they use the schema: ${connected.join(', ')}.`);
  await confirm(`Undo ${newest}? The data in the tables it created are deleted.`, options, terminal);
}

async function withMigrator<T>(cli: CommandLine, work: (migrator: Migrator) => Promise<T>): Promise<T> {
  const { DATABASE_URL } = await cli.settings();
  const { createMigrationDataSource } = await import('#database/data-source');
  const { Migrator } = await import('#platform/database/migrations/migrator');
  const dataSource = createMigrationDataSource(DATABASE_URL);
  await dataSource.initialize();
  try {
    return await work(new Migrator(dataSource));
  } finally {
    await dataSource.destroy();
  }
}
