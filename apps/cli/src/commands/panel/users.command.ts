import { text as readStream } from 'node:stream/consumers';
import { Command } from 'commander';
import { Invalid } from '#kernel/errors';
import { SecretText } from '#kernel/crypto/secret-text';
import { Directory, LegacyLogin, ROLES, type User } from '#libs/panel-auth';
import type { CommandLine } from '../../command-line.js';
import { choice } from '../../option-values.js';
import { emailOption } from '../../panel-values.js';
import type { Terminal } from '../../terminal/terminal.js';

const HEAD = ['id', 'e-mail', 'role', 'signed in by', 'created', 'disabled'];
const MIN_PASSWORD_LENGTH = 12;

/** Passwords are read from standard input, never from the command line, which other accounts can see. */
export function usersCommand(cli: CommandLine, { input }: Terminal): Command {
  const group = new Command('users');
  cli.withApplication(
    group
      .command('create')
      .description('create a user, who is matched by e-mail address at the first sign-in')
      .requiredOption('--email <email>', 'the address that the identity provider reports')
      .requiredOption('--role <role>', ROLES.join(' or '))
      .addHelpText('after', '\nExample: cli users create --email ada@example.com --role customer'),
    async (app, options) => {
      const user = await app.get(Directory).createUser(emailOption(options, 'email'), choice(options, 'role', ROLES));
      return { json: summary(user), table: { head: HEAD, rows: [row(user)] }, text: 'Created.' };
    },
  );
  cli.withApplication(
    group
      .command('list')
      .description('list users by e-mail address')
      .addHelpText('after', '\nExample: cli users list --json'),
    async (app) => {
      const users = await app.get(Directory).users();
      return { json: users.map(record), table: { head: HEAD, rows: users.map(row) } };
    },
  );
  cli.withApplication(
    group
      .command('disable')
      .description("end a user's sessions and keys, immediately and permanently")
      .requiredOption('--user <email>', 'whose')
      .addHelpText('after', '\nExample: cli users disable --user ada@example.com'),
    async (app, options) => {
      const { id } = await app.get(Directory).userByEmail(emailOption(options, 'user'));
      const user = await app.get(Directory).disableUser(id);
      return { json: record(user), table: { head: HEAD, rows: [row(user)] }, text: 'Disabled.' };
    },
  );
  cli.withApplication(
    group
      .command('set-password')
      .description('set the legacy sign-in password, read from standard input')
      .requiredOption('--user <email>', 'whose')
      .addHelpText('after', '\nExample: cli users set-password --user ada@example.com < password.txt'),
    async (app, options) => {
      const { id, email } = await app.get(Directory).userByEmail(emailOption(options, 'user'));
      await app.get(LegacyLogin).setPassword(id, await readPassword(input));
      return { json: { id, email }, text: 'Password set.' };
    },
  );
  cli.withApplication(
    group
      .command('sign-in-token')
      .description('print a one-time token for the legacy sign-in, valid for 15 minutes')
      .requiredOption('--user <email>', 'whose')
      .addHelpText('after', '\nExample: cli users sign-in-token --user ada@example.com'),
    async (app, options) => {
      const { id, email } = await app.get(Directory).userByEmail(emailOption(options, 'user'));
      const { token, expiresAt } = await app.get(LegacyLogin).issueToken(id);
      const json = { id, email, token: token.reveal(), expiresAt };
      return { json, text: `Token (shown only once, valid until ${expiresAt.toISOString()}): ${token.reveal()}` };
    },
  );
  return group;
}

async function readPassword(input: NodeJS.ReadableStream): Promise<SecretText> {
  const password = (await readStream(input)).replace(/\r?\n$/, '');
  if (password.length < MIN_PASSWORD_LENGTH) {
    throw Invalid.field('password', `must have at least ${MIN_PASSWORD_LENGTH} characters`);
  }
  return new SecretText(password);
}

function summary({ id, email, role }: User) {
  return { id, email, role };
}

function record({ id, email, role, identity, createdAt, disabledAt }: User) {
  return { id, email, role, issuer: identity?.issuer ?? null, createdAt, disabledAt };
}

function row({ id, email, role, identity, createdAt, disabledAt }: User) {
  return [id, email, role, identity?.issuer ?? null, createdAt, disabledAt];
}
