import { Command } from 'commander';
import { PARTNER_TYPES, Partners, type Partner } from '#libs/partners';
import type { CommandLine } from '../../command-line.js';
import { existingPartner } from '../../existing-partner.js';
import { choice, optionalUuid, text, uuidOption, uuidValue } from '../../option-values.js';

const HEAD = ['id', 'name', 'type', 'parent', 'created'];

export function partnersCommand(cli: CommandLine): Command {
  const group = new Command('partners');
  cli.withApplication(
    group
      .command('create')
      .description('add a partner to the tree')
      .requiredOption('--name <name>', 'name, 1 to 200 characters')
      .requiredOption('--type <type>', PARTNER_TYPES.join(', '))
      .option('--parent <id>', 'the parent partner (default: none, a root)')
      .addHelpText(
        'after',
        '\nExample: cli partners create --name "Northwind Hosting" --type reseller --parent 6f6c1d7e-…',
      ),
    async (app, options) => {
      const input = {
        name: text(options, 'name'),
        type: choice(options, 'type', PARTNER_TYPES),
        parentId: optionalUuid(options, 'parent'),
      };
      if (input.parentId) await existingPartner(app, input.parentId);
      return one(await app.get(Partners).create(input), 'Created.');
    },
  );
  cli.withApplication(
    group
      .command('list')
      .description('list partners, parents before children')
      .addHelpText('after', '\nExample: cli partners list --json'),
    async (app) => {
      const partners = await app.get(Partners).list();
      return { json: partners.map(record), table: { head: HEAD, rows: partners.map(row) } };
    },
  );
  cli.withApplication(
    group
      .command('move <id>')
      .description('move a partner and everything below it to another parent')
      .requiredOption('--parent <id>', 'the new parent')
      .addHelpText('after', '\nExample: cli partners move 0b0c6e0e-… --parent 6f6c1d7e-…'),
    async (app, options, [id]) => {
      const [partnerId, parentId] = [uuidValue(id, 'id'), uuidOption(options, 'parent')];
      await existingPartner(app, parentId);
      return one(await app.get(Partners).move(partnerId, parentId), 'Moved.');
    },
  );
  cli.withApplication(
    group
      .command('rename <id>')
      .description('rename a partner; statements and the ledger refer to it by id and do not change')
      .requiredOption('--name <name>', 'name, 1 to 200 characters')
      .addHelpText('after', '\nExample: cli partners rename 0b0c6e0e-… --name "Northwind Cloud"'),
    async (app, options, [id]) => {
      const partnerId = await existingPartner(app, uuidValue(id, 'id'));
      return one(await app.get(Partners).rename(partnerId, text(options, 'name')), 'Renamed.');
    },
  );
  return group;
}

function one(partner: Partner, sentence: string) {
  return { json: record(partner), table: { head: HEAD, rows: [row(partner)] }, text: sentence };
}

function record({ id, name, type, parentId, createdAt }: Partner) {
  return { id, name, type, parentId, createdAt };
}

function row({ id, name, type, parentId, createdAt }: Partner) {
  return [id, name, type, parentId, createdAt];
}
