import { Command } from 'commander';
import { StartRefused } from '#platform/start-refused';
import type { CommandLine } from '../command-line.js';

const HEAD = ['what', 'sealed again', 'up to date', 'unreadable'];

export function secretsCommand(cli: CommandLine): Command {
  const group = new Command('secrets');
  cli.withApplication(
    group
      .command('rotate')
      .description('re-encrypt everything with the newest key of SECRETS_KEYS')
      .addHelpText(
        'after',
        '\nPut the new key first in SECRETS_KEYS, restart every process, run this, then remove the old key.' +
          '\nIt can be interrupted and repeated, and does not need downtime.' +
          '\n\nExample: cli secrets rotate',
      ),
    async (app) => {
      if (!(await cli.settings()).SECRETS_KEYS)
        throw new StartRefused('SECRETS_KEYS: is required, with the newest key first.');
      const [{ KeptKeys, SigningKeys }, { Resealing }, { SpecStore, TemplateServices }] = await Promise.all([
        import('#libs/licensing'),
        import('#libs/panel-auth'),
        import('#libs/services'),
      ]);
      const signing = { column: 'license_service.signing_keys', unreadable: 0 };
      const kept = { column: 'licensing.kept_keys', unreadable: 0 };
      const columns = [
        ...(await app.get(Resealing).run()),
        { column: 'services.specs', ...(await app.get(SpecStore, { strict: false }).reseal()) },
        { column: 'services.template_services', ...(await app.get(TemplateServices, { strict: false }).reseal()) },
        { ...signing, ...(await app.get(SigningKeys, { strict: false }).reseal()) },
        { ...kept, ...(await app.get(KeptKeys, { strict: false }).reseal()) },
      ];
      const unreadable = columns.reduce((sum, column) => sum + column.unreadable, 0);
      const warning = unreadable > 0 ? ` ${unreadable} value(s) could not be opened and were left as they are.` : '';
      return {
        json: columns,
        table: { head: HEAD, rows: columns.map((c) => [c.column, c.resealed, c.upToDate, c.unreadable]) },
        text: `Done.${warning}`,
      };
    },
  );
  return group;
}
