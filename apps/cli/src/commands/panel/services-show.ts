import type { Command } from 'commander';
import { NotFound } from '#kernel/errors';
import type { CommandLine } from '../../command-line.js';
import { uuidValue } from '../../option-values.js';

/** `services show`: one service, including those that the panel runs for itself and no API shows. */
export function showService(cli: CommandLine, group: Command): void {
  cli.withApplication(
    group
      .command('show <id>')
      .description('show one service, including those that the panel runs for itself')
      .addHelpText('after', '\nExample: cli services show 9c5b94b1-…'),
    async (app, _options, [id]) => {
      const { OwnServices } = await import('#libs/services');
      const service = await app.get(OwnServices, { strict: false }).show(uuidValue(id, 'id'));
      if (!service) throw new NotFound();
      const { name, deploymentType, status, statusReason, customerId, containerIds, resourceLimits, url } = service;
      const { cpuCores, memoryMb, diskMb } = resourceLimits;
      const rows = [
        ['service', service.id],
        ['name', name],
        ['organisation', customerId],
        ['type', deploymentType],
        ['status', status],
        ['limits', `${cpuCores} cores, ${memoryMb} MB of memory, ${diskMb} MB of disk`],
        ['containers', containerIds.join(' ')],
        ['url', url],
        ['created', service.createdAt],
      ];
      return {
        json: service,
        table: { head: ['', ''], rows },
        ...(statusReason ? { text: statusReason.message } : {}),
      };
    },
  );
}
