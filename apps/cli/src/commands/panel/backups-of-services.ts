import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { Conflict } from '#kernel/errors';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Backup, Restore } from '#libs/backups';
import type { StaffSettings } from '../../cli.config.js';
import type { CommandLine, Options } from '../../command-line.js';
import { confirm } from '../../terminal/confirm.js';
import { choice, optionalUuid, text, uuidValue } from '../../option-values.js';
import type { Terminal } from '../../terminal/terminal.js';

const HEAD = ['id', 'created', 'kind', 'trigger', 'status', 'verification', 'size', 'expires', 'error'];
const NOBODY = { userId: null, apiKeyId: null };
const LIST_LIMIT = 1_000;

/** `backups list|create|verify|restore --service <id>`. */
export function backupsOfServices<S extends StaffSettings>(
  cli: CommandLine<S>,
  group: Command,
  terminal: Terminal,
): void {
  const command = (name: string, description: string, example: string) =>
    group
      .command(name)
      .description(description)
      .requiredOption('--service <id>', 'the service')
      .addHelpText('after', `\nExample: cli backups ${name} --service 9c5b94b1-…${example}`);

  cli.withApplication(
    command('list', 'list the backups of a service, newest first', ' --json'),
    async (app, options) => {
      const backups = await backupsOf(app, options);
      const none = backups.length === 0 ? { text: 'No backups.' } : {};
      return { json: backups.map(record), table: { head: HEAD, rows: backups.map(row) }, ...none };
    },
  );
  cli.withApplication(command('create', 'schedule a backup of a service', ''), async (app, options) => {
    const { backups, scope } = await parts(app);
    const { state } = await backups.create(scope, serviceOf(options), 'manual', NOBODY);
    return { json: { backupId: state.id, status: state.status }, text: `${state.id}: a worker will make the backup.` };
  });
  cli.withApplication(
    command('verify', 'schedule a trial restore of a backup', ' --backup 0b0c6e0e-…').option(
      '--backup <id>',
      'the backup (default: the newest that has succeeded)',
    ),
    async (app, options) => {
      const { backups, scope } = await parts(app);
      const { id } = await chosen(app, options, ({ state }) => state.status === 'succeeded');
      const { state } = await backups.verify(scope, id);
      const status = state.verification?.status ?? null;
      return { json: { backupId: id, status }, text: `${id}: a worker will verify the backup.` };
    },
  );
  cli.withApplication(
    command('restore', 'restore a backup into a new service, or into the same one', ' --into new --name "Shop of May"')
      .option('--backup <id>', 'the backup (default: the newest that is verified)')
      .option('--into <target>', 'new or same', 'new')
      .option('--name <name>', 'name of the new service')
      .option('--yes', 'do not ask for confirmation before replacing the data of the service'),
    async (app, options) => {
      const { state } = await restore(app, options, terminal);
      return { json: restoreRecord(state), text: `${state.id}: a worker will restore into service ${state.targetId}.` };
    },
  );
}

async function restore(app: INestApplicationContext, options: Options, terminal: Terminal): Promise<Restore> {
  const { RESTORE_TARGETS, Restores } = await import('#libs/backups');
  const { ServiceQueries } = await import('#libs/services');
  const { scope } = await parts(app);
  const serviceId = serviceOf(options);
  const into = choice(options, 'into', RESTORE_TARGETS);
  const { id: backupId } = await chosen(app, options, ({ state }) => state.verification?.status === 'verified');
  const restores = app.get(Restores, { strict: false });
  if (into === 'new') {
    const name = options['name'] === undefined ? null : text(options, 'name').trim();
    return restores.intoNew(scope, { serviceId, backupId, name }, NOBODY);
  }
  const service = await app.get(ServiceQueries, { strict: false }).get(scope, serviceId);
  const name = service?.name ?? '';
  await confirm(`Replace the data of ${name} (${serviceId}) with backup ${backupId}?`, options, terminal);
  return restores.intoSame(scope, { serviceId, backupId, confirm: name }, NOBODY);
}

async function parts(app: INestApplicationContext) {
  const [{ Backups }, { OrganisationScope }] = await Promise.all([import('#libs/backups'), import('#libs/services')]);
  return { backups: app.get(Backups, { strict: false }), scope: OrganisationScope.all };
}

function serviceOf(options: Options): Uuid {
  return uuidValue(text(options, 'service'), '--service');
}

async function backupsOf(app: INestApplicationContext, options: Options): Promise<readonly Backup[]> {
  const { backups, scope } = await parts(app);
  const slice = { offset: 0, limit: LIST_LIMIT };
  return (await backups.list(scope, serviceOf(options), { status: null }, slice)).backups;
}

/**
 * The backup that was given, or the newest suitable one. A base backup is taken only if it was given.
 * @throws Conflict if no backup was given and none is suitable
 */
async function chosen(
  app: INestApplicationContext,
  options: Options,
  willDo: (backup: Backup) => boolean,
): Promise<{ readonly id: Uuid }> {
  const named = optionalUuid(options, 'backup');
  if (named !== null) return { id: named };
  const newest = (await backupsOf(app, options)).find((backup) => backup.state.kind !== 'base' && willDo(backup));
  if (!newest) throw new Conflict('backup_missing', 'The service has no such backup. `cli backups list` shows them.');
  return newest;
}

function record({ state }: Backup) {
  const { id, serviceId, kind, status, trigger, sizeBytes, sha256, createdAt, finishedAt, expiresAt } = state;
  const { databaseVersion, errorMessage, notes, verification } = state;
  return {
    id,
    serviceId,
    kind,
    status,
    trigger,
    sizeBytes,
    sha256,
    createdAt,
    finishedAt,
    expiresAt,
    databaseVersion,
    errorMessage,
    notes,
    verification,
  };
}

function restoreRecord({ id, backupId, targetId, into, status, safetyBackupId }: Restore['state']) {
  return { restoreId: id, backupId, serviceId: targetId, into, status, preRestoreBackupId: safetyBackupId };
}

function row({ state }: Backup): readonly unknown[] {
  const { id, createdAt, kind, trigger, status, verification, sizeBytes, expiresAt, errorMessage } = state;
  const proof = verification?.status ?? null;
  return [
    id,
    createdAt,
    kind,
    trigger,
    status,
    proof,
    sizeBytes,
    expiresAt,
    errorMessage ?? verification?.errorMessage,
  ];
}
