import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { OrganisationScope, ServiceFilter, ServiceView } from '#libs/services';
import { NotFound } from '#kernel/errors';
import type { CommandLine, Options } from '../../command-line.js';
import { choice, optionalUuid, text } from '../../option-values.js';

const HEAD = ['service', 'name', 'organisation', 'type', 'status', 'url', 'created'];
const SLICE = 200;

/** `services list`: every service with the organisation that it belongs to. */
export function listServices(cli: CommandLine, group: Command): void {
  cli.withApplication(
    group
      .command('list')
      .description('list services, newest first, with the organisation of each')
      .option('--org <id>', 'only of this organisation and those below it')
      .option('--status <status>', 'only with this status, such as running, stopped or error')
      .option('--search <text>', 'only names that contain this text')
      .addHelpText('after', '\nExample: cli services list --status error'),
    async (app, options) => {
      // Loaded on demand, to keep `--help` fast.
      const [{ SERVICE_STATUSES }, { Directory }] = await Promise.all([
        import('#libs/services'),
        import('#libs/panel-auth'),
      ]);
      const filter = {
        status: options.status === undefined ? null : choice(options, 'status', SERVICE_STATUSES),
        search: options.search === undefined ? null : text(options, 'search'),
      };
      const organisations = await app.get(Directory, { strict: false }).organisations();
      const names = new Map(organisations.map(({ id, name }) => [id, name]));
      const services = await all(app, await scopeOf(app, options), filter);
      const nameOf = ({ customerId }: ServiceView) => (customerId ? (names.get(customerId) ?? customerId) : null);
      return {
        json: services.map((service) => ({ ...service, organisationName: nameOf(service) })),
        table: { head: HEAD, rows: services.map((service) => row(service, nameOf(service))) },
      };
    },
  );
}

/** @throws NotFound if there is no such organisation */
async function scopeOf(app: INestApplicationContext, options: Options): Promise<OrganisationScope> {
  const [{ OrganisationScope }, { Directory }] = await Promise.all([
    import('#libs/services'),
    import('#libs/panel-auth'),
  ]);
  const organisationId = optionalUuid(options, 'org');
  if (!organisationId) return OrganisationScope.all;
  const ids = await app.get(Directory, { strict: false }).subtree(organisationId);
  if (ids.length === 0) throw new NotFound();
  return OrganisationScope.of(ids);
}

async function all(
  app: INestApplicationContext,
  scope: OrganisationScope,
  filter: ServiceFilter,
): Promise<ServiceView[]> {
  const { ServiceQueries } = await import('#libs/services');
  const queries = app.get(ServiceQueries, { strict: false });
  const found: ServiceView[] = [];
  for (let offset = 0; ; offset += SLICE) {
    const { services, total } = await queries.list(scope, filter, { offset, limit: SLICE });
    found.push(...services);
    if (services.length === 0 || found.length >= total) return found;
  }
}

function row({ id, name, deploymentType, status, url, createdAt }: ServiceView, organisation: string | null) {
  return [id, name, organisation, deploymentType, status, url, createdAt];
}
