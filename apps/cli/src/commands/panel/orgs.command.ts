import { Command } from 'commander';
import { Directory, type Organisation } from '#libs/panel-auth';
import type { CommandLine } from '../../command-line.js';
import { optionalUuid, text } from '../../option-values.js';
import { orgsQuota } from './orgs-quota.js';

const HEAD = ['id', 'name', 'parent'];

export function orgsCommand(cli: CommandLine): Command {
  const group = new Command('orgs');
  cli.withApplication(
    group
      .command('create')
      .description('add an organisation to the tree')
      .requiredOption('--name <name>', 'name, 1 to 200 characters')
      .option('--parent <id>', 'the parent organisation (default: none, a root)')
      .addHelpText('after', '\nExample: cli orgs create --name "Northwind Hosting" --parent 6f6c1d7e-…'),
    async (app, options) => {
      const parentId = optionalUuid(options, 'parent');
      const organisation = await app.get(Directory).createOrganisation(text(options, 'name'), parentId);
      return { json: record(organisation), table: { head: HEAD, rows: [row(organisation)] }, text: 'Created.' };
    },
  );
  cli.withApplication(
    group
      .command('list')
      .description('list organisations by name')
      .addHelpText('after', '\nExample: cli orgs list --json'),
    async (app) => {
      const organisations = await app.get(Directory).organisations();
      return { json: organisations.map(record), table: { head: HEAD, rows: organisations.map(row) } };
    },
  );
  orgsQuota(cli, group);
  return group;
}

function record({ id, name, parentId }: Organisation) {
  return { id, name, parentId };
}

function row({ id, name, parentId }: Organisation) {
  return [id, name, parentId];
}
