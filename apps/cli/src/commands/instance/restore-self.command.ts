import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Command } from 'commander';
import { Invalid, NotFound } from '#kernel/errors';
import type { CommandLine, Options } from '../../command-line.js';
import type { StorageSideSettings } from '../../sides/storage-side.js';

const PRIVATE_KEY = /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/m;
const SELF_KEY = /^self\/[A-Za-z0-9._-]+$/;

export function restoreCommand(cli: CommandLine<StorageSideSettings>): Command {
  const group = new Command('restore').addHelpText('after', '\nExample: cli restore self panel.tar.gz.age');
  cli.plain(
    group
      .command('self')
      .argument('<file>', 'a file, or the key that `backup self` has printed')
      .description("restore the panel's own database into the empty one of DATABASE_URL, and its key ring")
      .option('--identity <file>', 'file with the private age key that decrypts the backup (default: SECRETS_KEYS)')
      .option('--secrets <file>', 'write the key ring to this file, in the format of .data/secrets.json')
      .addHelpText(
        'after',
        '\nThe restore is all or nothing. Nothing else may use the database during it.' +
          '\n\nExample: cli restore self panel.tar.gz.age --identity key.txt --secrets .data/secrets.json',
      ),
    async (options, [file = '']) => {
      const { restorePanel } = await import('#libs/backups');
      const { DATABASE_URL, SECRETS_KEYS, REDIS_URL } = await cli.settings();
      const identity = await identityOf(options);
      const target = await secretsTarget(options);
      const { manifest, secrets, rows } = await restorePanel({
        sealed: await sealedFile(cli, file),
        databaseUrl: DATABASE_URL,
        keyRing: SECRETS_KEYS ?? null,
        identity,
        migrateTo: (migrations) => migrate(DATABASE_URL, migrations),
      });
      const applied = await migrate(DATABASE_URL, null);
      const { migrateQueue } = await import('#platform/queue/migrate-queue');
      if (!REDIS_URL) await migrateQueue(DATABASE_URL);
      if (target !== null)
        await writeFile(target, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      const newer = applied.length > 0 ? ` Applied ${applied.length} newer migration(s).` : '';
      const ring =
        target === null
          ? 'Start with the SECRETS_KEYS that were in use when the backup was made.'
          : `The key ring is in ${target}.`;
      return {
        json: {
          createdAt: manifest.createdAt,
          tables: manifest.tables.length,
          rows,
          migrated: applied,
          secrets: target,
        },
        text: `Restored ${rows} rows of ${manifest.tables.length} tables as of ${manifest.createdAt}.${newer} ${ring}`,
      };
    },
  );
  return group;
}

async function sealedFile(cli: CommandLine<StorageSideSettings>, file: string): Promise<Readable> {
  if ((await stat(file).catch(() => null))?.isFile()) return createReadStream(file);
  if (!SELF_KEY.test(file)) throw Invalid.field('file', 'cannot be read');
  const [{ backupStoreOf, StoredBackupMissing }, { SystemRandomness }] = await Promise.all([
    import('#libs/backups'),
    import('#kernel/crypto/randomness'),
  ]);
  try {
    return await backupStoreOf(await cli.settings(), new SystemRandomness()).open(file);
  } catch (error) {
    throw error instanceof StoredBackupMissing ? new NotFound() : error;
  }
}

async function identityOf({ identity }: Options): Promise<string | null> {
  if (typeof identity !== 'string') return null;
  const text = await readFile(identity, 'utf8').catch(() => {
    throw Invalid.field('identity', 'cannot be read');
  });
  const [key] = PRIVATE_KEY.exec(text) ?? [];
  if (key === undefined) throw Invalid.field('identity', 'contains no private age key: AGE-SECRET-KEY-1…');
  return key;
}

/** Checked before the restore, so that it does not fail at its very end. */
async function secretsTarget({ secrets }: Options): Promise<string | null> {
  if (typeof secrets !== 'string') return null;
  if (await stat(secrets).catch(() => null)) throw Invalid.field('secrets', 'already exists');
  return secrets;
}

/** @param only null: all migrations of this release */
async function migrate(url: string, only: readonly string[] | null): Promise<string[]> {
  const [{ createMigrationDataSource }, { Migrator }, { SelfRestoreRefused }] = await Promise.all([
    import('#database/data-source'),
    import('#platform/database/migrations/migrator'),
    import('#libs/backups'),
  ]);
  const dataSource = createMigrationDataSource(url, only);
  await dataSource.initialize();
  try {
    const known = new Set((await new Migrator(dataSource).status()).map(({ name }) => name));
    const unknown = only?.filter((name) => !known.has(name)) ?? [];
    if (unknown.length > 0)
      throw new SelfRestoreRefused(
        `The backup is of a newer release, with ${unknown.join(', ')}: restore it with that release.`,
      );
    return await new Migrator(dataSource).up();
  } finally {
    await dataSource.destroy();
  }
}
