import { Command } from 'commander';
import { Directory, ROLES, type Membership } from '#libs/panel-auth';
import type { CommandLine } from '../../command-line.js';
import { choice, uuidOption } from '../../option-values.js';
import { emailOption, permissionsOption } from '../../panel-values.js';

const HEAD = ['user', 'organisation', 'role', 'permissions', 'since'];

export function membersCommand(cli: CommandLine): Command {
  const group = new Command('members');
  cli.withApplication(
    group
      .command('add')
      .description('add a member, or change the role and permissions of one')
      .requiredOption('--user <email>', 'who')
      .requiredOption('--org <id>', 'the organisation; the role also applies in all organisations below')
      .requiredOption('--role <role>', ROLES.join(' or '))
      .option('--permissions <names>', 'only these permissions of the role, comma-separated')
      .addHelpText('after', '\nExample: cli members add --user ada@example.com --org 6f6c1d7e-… --role customer'),
    async (app, options) => {
      const organisationId = uuidOption(options, 'org');
      const permissions = permissionsOption(options, 'permissions');
      const role = choice(options, 'role', ROLES);
      const directory = app.get(Directory);
      const { id } = await directory.userByEmail(emailOption(options, 'user'));
      const member = await directory.addMember(id, organisationId, role, permissions);
      return { json: record(member), table: { head: HEAD, rows: [row(member)] }, text: 'Added.' };
    },
  );
  cli.withApplication(
    group
      .command('remove')
      .description('remove a member; keys bound to the organisation stop working there')
      .requiredOption('--user <email>', 'who')
      .requiredOption('--org <id>', 'where')
      .addHelpText('after', '\nExample: cli members remove --user ada@example.com --org 6f6c1d7e-…'),
    async (app, options) => {
      const organisationId = uuidOption(options, 'org');
      const directory = app.get(Directory);
      const { id: userId } = await directory.userByEmail(emailOption(options, 'user'));
      await directory.removeMember(userId, organisationId);
      return { json: { userId, organisationId, removed: true }, text: 'Removed.' };
    },
  );
  cli.withApplication(
    group
      .command('list')
      .description('list the members of an organisation, without those of organisations above it')
      .requiredOption('--org <id>', 'of which')
      .addHelpText('after', '\nExample: cli members list --org 6f6c1d7e-…'),
    async (app, options) => {
      const members = await app.get(Directory).members(uuidOption(options, 'org'));
      return { json: members.map(record), table: { head: HEAD, rows: members.map(row) } };
    },
  );
  return group;
}

function record({ userId, organisationId, role, permissions, createdAt }: Membership) {
  return { userId, organisationId, role, permissions, createdAt };
}

function row({ userId, organisationId, role, permissions, createdAt }: Membership) {
  return [userId, organisationId, role, permissions?.join(' ') ?? 'all of the role', createdAt];
}
