import { Command } from 'commander';
import type { CommandLine } from '../../command-line.js';
import { optionalUuid } from '../../option-values.js';
import { listServices } from './services-list.js';
import { showService } from './services-show.js';

export function servicesCommand(cli: CommandLine): Command {
  const group = new Command('services');
  listServices(cli, group);
  showService(cli, group);
  cli.withApplication(
    group
      .command('reconcile')
      .description('compare every service with the engine, list the differences and schedule repairs')
      .option('--service <id>', 'only this service')
      .addHelpText('after', '\nExample: cli services reconcile --service 9c5b94b1-…'),
    async (app, options) => {
      const { ReconcileServices } = await import('#libs/services');
      const found = await app.get(ReconcileServices, { strict: false }).survey(optionalUuid(options, 'service'));
      const rows = found.map(({ serviceId, name, findings, action }) => [serviceId, name, findings.join('; '), action]);
      const text = found.length === 0 ? 'No differences found.' : 'A worker runs the scheduled repairs.';
      return { json: found, table: { head: ['service', 'name', 'found', 'action'], rows }, text };
    },
  );
  return group;
}
