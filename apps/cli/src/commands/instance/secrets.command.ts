import { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { RESEALED_BY_KIND } from '#database/sealed-kinds';
import type { KeyRing } from '#platform/key-ring';
import { StartRefused } from '#platform/start-refused';
import type { CommandLine } from '../../command-line.js';
import type { Terminal } from '../../terminal/terminal.js';
import { secretsGiveUp } from './secrets-give-up.js';

const HEAD = ['what', 'sealed again', 'up to date', 'unreadable'];

export function secretsCommand(cli: CommandLine, terminal: Terminal): Command {
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
      const ring = (await cli.settings()).SECRETS_KEYS;
      if (!ring) throw new StartRefused('SECRETS_KEYS: is required, with the newest key first.');
      const [{ DataSource }, { proveKeyRing }] = await Promise.all([
        import('typeorm'),
        import('#platform/sealed/key-ring-proof'),
      ]);
      const [{ KeptKeys, SigningKeys }, { Resealing }, { SpecStore, TemplateServices }] = await Promise.all([
        import('#libs/licensing'),
        import('#libs/panel-auth'),
        import('#libs/services'),
      ]);
      const signing = { column: 'license_service.signing_keys', unreadable: 0 };
      const kept = { column: 'licensing.kept_keys', unreadable: 0 };
      const database = app.get(DataSource, { strict: false });
      const columns = [
        ...(await app.get(Resealing).run()),
        { column: 'services.specs', ...(await app.get(SpecStore, { strict: false }).reseal()) },
        { column: 'services.template_services', ...(await app.get(TemplateServices, { strict: false }).reseal()) },
        { ...signing, ...(await app.get(SigningKeys, { strict: false }).reseal()) },
        { ...kept, ...(await app.get(KeptKeys, { strict: false }).reseal()) },
        ...(await resealByKind(database, ring)),
      ];
      await proveKeyRing(database, ring);
      const unreadable = columns.reduce((sum, column) => sum + column.unreadable, 0);
      const warning = unreadable > 0 ? ` ${unreadable} value(s) could not be opened and were left as they are.` : '';
      return {
        json: columns,
        table: { head: HEAD, rows: columns.map((c) => [c.column, c.resealed, c.upToDate, c.unreadable]) },
        text: `Done.${warning}`,
      };
    },
  );
  group.addCommand(secretsGiveUp(cli, terminal));
  return group;
}

async function resealByKind(database: DataSource, ring: KeyRing) {
  const { resealKind } = await import('#platform/sealed/reseal-kind');
  const columns = [];
  for (const kind of RESEALED_BY_KIND)
    columns.push({ column: kind.table, ...(await resealKind(database, ring, kind)) });
  return columns;
}
