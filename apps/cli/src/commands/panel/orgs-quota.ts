import type { Command } from 'commander';
import { limitDefect, OrganisationQuotas, QUOTA_KINDS, type QuotaKind, type QuotaLimits } from '#libs/services';
import type { CommandLine, Options } from '../../command-line.js';
import { uuidValue } from '../../option-values.js';
import { WrongUsage } from '../../wrong-usage.js';

const OPTION: Readonly<Record<QuotaKind, string>> = {
  services: '--services',
  cpuCores: '--cpu-cores',
  memoryMb: '--memory-mb',
  diskMb: '--disk-mb',
};
const STAFF = { userId: null, apiKeyId: null };

/** Sets the limits that are given, and shows the resulting quota. */
export function orgsQuota(cli: CommandLine, group: Command): void {
  cli.withApplication(
    group
      .command('quota')
      .description('show or set the total limits for services of an organisation and those below it')
      .argument('<id>', 'the organisation')
      .option('--services <number>', 'maximum number of services, or none for no limit')
      .option('--cpu-cores <number>', 'total CPU cores, or none for no limit')
      .option('--memory-mb <number>', 'total memory, or none for no limit')
      .option('--disk-mb <number>', 'total disk, or none for no limit')
      .addHelpText('after', '\nExample: cli orgs quota 6f6c1d7e-… --services 10 --memory-mb 8192 --disk-mb none'),
    async (app, options, [id]) => {
      const organisationId = uuidValue(id, 'id');
      const quotas = app.get(OrganisationQuotas, { strict: false });
      const change = limitsOf(options);
      const isChange = Object.keys(change).length > 0;
      const own = await (isChange ? quotas.change(organisationId, change, STAFF) : quotas.own(organisationId));
      const { limits, used } = await quotas.standing(organisationId);
      const rows = QUOTA_KINDS.map((kind) => [kind, told(own[kind]), told(limits[kind]), used[kind]]);
      return {
        json: { organisationId, own, limits, used },
        table: { head: ['', 'own limit', 'with those above', 'used'], rows },
        ...(isChange ? { text: 'Set.' } : {}),
      };
    },
  );
}

/** @throws WrongUsage naming the option */
function limitsOf(options: Options): Partial<QuotaLimits> {
  const given = QUOTA_KINDS.filter((kind) => options[kind] !== undefined);
  return Object.fromEntries(given.map((kind) => [kind, limitOf(kind, String(options[kind]))]));
}

function limitOf(kind: QuotaKind, value: string): number | null {
  if (value === 'none') return null;
  const limit = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  const defect = limitDefect(kind, limit);
  if (defect !== null) throw WrongUsage.value(OPTION[kind], `${defect}, or none`);
  return limit;
}

function told(limit: number | null): number | string {
  return limit ?? 'none';
}
