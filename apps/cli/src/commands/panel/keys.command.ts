import { Command } from 'commander';
import { ApiKeys, Directory, ROLES, type ApiKey } from '#libs/panel-auth';
import type { CommandLine, Options } from '../../command-line.js';
import { choice, optionalUuid, text, uuidValue } from '../../option-values.js';
import { emailOption, instantOption, permissionsOption, rpmOption, scopesOption } from '../../panel-values.js';

const HEAD = ['id', 'name', 'prefix', 'role', 'organisation', 'requests/min', 'created', 'expires', 'revoked'];

export function keysCommand(cli: CommandLine): Command {
  const group = new Command('keys');
  cli.withApplication(
    group
      .command('create')
      .description('create a key for a user and print it once')
      .requiredOption('--user <email>', 'e-mail address of the key owner')
      .requiredOption('--name <name>', 'its purpose')
      .option('--role <role>', `${ROLES.join(' or ')}; the role of the user by default`)
      .option('--org <id>', "bind the key to an organisation; a customer's keys are bound to its own by default")
      .option('--rate-limit-rpm <n>', 'requests per minute', '60')
      .option('--scopes <names>', 'only these permissions of the role, comma-separated, or services:*')
      .option('--deny <names>', 'exclude these permissions, comma-separated')
      .option('--expires-at <instant>', 'RFC 3339 (default: never)')
      .option('--service-account', 'mark the key as a service account')
      .addHelpText('after', '\nExample: cli keys create --user ada@example.com --name ci --rate-limit-rpm 600'),
    async (app, options) => {
      const [request, organisationId] = [requested(options), optionalUuid(options, 'org')];
      const { id } = await app.get(Directory).userByEmail(emailOption(options, 'user'));
      const { key, clear } = await app.get(ApiKeys).createByStaff(id, request, organisationId);
      return {
        json: { key: clear.reveal(), metadata: metadata(key) },
        table: { head: HEAD, rows: [row(key)] },
        text: `Key (shown only once): ${clear.reveal()}`,
      };
    },
  );
  cli.withApplication(
    group
      .command('list')
      .description('list the keys of a user, newest first, revoked and expired ones last')
      .requiredOption('--user <email>', 'e-mail address of the user')
      .addHelpText('after', '\nExample: cli keys list --user ada@example.com'),
    async (app, options) => {
      const { id } = await app.get(Directory).userByEmail(emailOption(options, 'user'));
      const keys = await app.get(ApiKeys).listByStaff(id);
      return { json: keys.map(record), table: { head: HEAD, rows: keys.map(row) } };
    },
  );
  cli.withApplication(
    group
      .command('revoke <id>')
      .description('revoke a key permanently')
      .requiredOption('--user <email>', 'e-mail address of the key owner')
      .addHelpText('after', '\nExample: cli keys revoke 0b0c6e0e-… --user ada@example.com'),
    async (app, options, [id]) => {
      const keyId = uuidValue(id, 'id');
      const { id: userId } = await app.get(Directory).userByEmail(emailOption(options, 'user'));
      await app.get(ApiKeys).revokeByStaff(userId, keyId);
      return { json: { id: keyId, revoked: true }, text: 'Revoked.' };
    },
  );
  return group;
}

function requested(options: Options) {
  return {
    name: text(options, 'name').trim(),
    role: options['role'] === undefined ? null : choice(options, 'role', ROLES),
    scopes: scopesOption(options, 'scopes'),
    permissionsDeny: permissionsOption(options, 'deny') ?? [],
    expiresAt: instantOption(options, 'expiresAt', '--expires-at'),
    rateLimitRpm: rpmOption(options, 'rateLimitRpm', '--rate-limit-rpm'),
    isServiceAccount: options['serviceAccount'] === true,
    description: null,
  };
}

/** The names of the HTTP API. */
function metadata(key: ApiKey) {
  const { name, scopes, role, permissionsDeny, rateLimitRpm, expiresAt, isServiceAccount, description } = key;
  const terms = { name, scopes, role, permissionsDeny, rateLimitRpm, expiresAt, isServiceAccount, description };
  return key.organisationId === null ? terms : { ...terms, orgId: key.organisationId };
}

function record(key: ApiKey) {
  const { id, prefix, createdAt, lastUsedAt, revokedAt } = key;
  return { id, prefix, ...metadata(key), createdAt, lastUsedAt, revokedAt };
}

function row({ id, name, prefix, role, organisationId, rateLimitRpm, createdAt, expiresAt, revokedAt }: ApiKey) {
  return [id, name, prefix, role, organisationId, rateLimitRpm, createdAt, expiresAt, revokedAt];
}
