import { Command } from 'commander';
import { Contracts, PRICING_MODELS, type BillingContract } from '#libs/billing';
import { Editions } from '#libs/licensing';
import { PartnerAccount } from '#libs/partners';
import { BillingDate } from '#kernel/time/calendar-date';
import { written } from '../../billing/amounts.js';
import type { CommandLine, Options } from '../../command-line.js';
import { existingPartner } from '../../existing-partner.js';
import { choice, text, uuidOption, uuidValue } from '../../option-values.js';
import { WrongUsage } from '../../wrong-usage.js';

const HEAD = ['id', 'reference', 'model', 'price', 'from', 'to', 'cap', 'pack', 'editions'];

export function contractsCommand(cli: CommandLine): Command {
  const group = new Command('contracts');
  cli.withApplication(
    group
      .command('create')
      .description('create a contract; a new price needs a new contract')
      .requiredOption('--partner <id>', 'the partner of the contract')
      .requiredOption('--reference <text>', 'reference of the signed contract')
      .requiredOption('--model <model>', PRICING_MODELS.join(', '))
      .requiredOption('--currency <code>', 'ISO 4217, such as EUR')
      .requiredOption('--unit-price-cents <integer>', 'monthly price of a license, or monthly fee of a flat contract')
      .requiredOption('--valid-from <date>', 'first valid day, YYYY-MM-DD')
      .option('--valid-to <date>', 'last valid day, inclusive (default: no end)')
      .option('--license-cap <integer>', 'maximum number of live licenses (flat_capped)')
      .option('--pack-size <integer>', 'total number of licenses (prepaid_pack)')
      .option('--editions <list>', 'editions that may be issued, separated by commas (default: all)')
      .addHelpText(
        'after',
        '\nExample: cli contracts create --partner 6f6c1d7e-… --reference "Agreement 2026/17" \\\n' +
          '  --model per_instance_metered --currency EUR --unit-price-cents 1000 --valid-from 2026-01-01',
      ),
    async (app, options) => {
      const terms = {
        partnerId: uuidOption(options, 'partner'),
        reference: text(options, 'reference'),
        model: choice(options, 'model', PRICING_MODELS),
        currency: currency(options),
        unitPriceCents: integer(options, 'unitPriceCents', '--unit-price-cents'),
        validFrom: date(options, 'validFrom', '--valid-from'),
        validTo: options.validTo === undefined ? null : date(options, 'validTo', '--valid-to'),
        licenseCap: options.licenseCap === undefined ? null : integer(options, 'licenseCap', '--license-cap'),
        packSize: options.packSize === undefined ? null : integer(options, 'packSize', '--pack-size'),
        editions: knownEditions(options, app.get(Editions, { strict: false })),
      };
      await existingPartner(app, terms.partnerId);
      return one(await app.get(Contracts, { strict: false }).create(terms), 'Signed.');
    },
  );
  cli.withApplication(
    group
      .command('list')
      .description('list the contracts of a partner')
      .requiredOption('--partner <id>', 'the partner')
      .addHelpText('after', '\nExample: cli contracts list --partner 6f6c1d7e-…'),
    async (app, options) => {
      const account = PartnerAccount.of(await existingPartner(app, uuidOption(options, 'partner')));
      const contracts = await app.get(Contracts, { strict: false }).listOf(account);
      return { json: contracts.map(record), table: { head: HEAD, rows: contracts.map(row) } };
    },
  );
  cli.withApplication(
    group
      .command('end <id>')
      .description('set the last valid day of a contract; existing licenses continue, new ones are refused')
      .requiredOption('--valid-to <date>', 'last valid day, inclusive, YYYY-MM-DD')
      .addHelpText('after', '\nExample: cli contracts end 3d1c2b4a-… --valid-to 2026-12-31'),
    async (app, options, [id]) => {
      const validTo = date(options, 'validTo', '--valid-to');
      return one(await app.get(Contracts, { strict: false }).end(uuidValue(id, 'id'), validTo), 'Ended.');
    },
  );
  return group;
}

function one(contract: BillingContract, sentence: string) {
  return { json: record(contract), table: { head: HEAD, rows: [row(contract)] }, text: sentence };
}

function record({ state }: BillingContract) {
  const { id, partnerId, reference, model, currency, unitPriceCents, validFrom, validTo } = state;
  const { licenseCap, packSize, editions, createdAt } = state;
  const terms = { id, partnerId, reference, model, currency, unitPriceCents, validFrom, validTo };
  return { ...terms, licenseCap, packSize, editions, createdAt };
}

function row({ state }: BillingContract) {
  const price = written(state.unitPriceCents, state.currency);
  const { id, reference, model, validFrom, validTo, licenseCap, packSize, editions } = state;
  return [
    id,
    reference,
    model,
    price,
    validFrom.toString(),
    validTo?.toString(),
    licenseCap,
    packSize,
    editions.join(', '),
  ];
}

function knownEditions(options: Options, editions: Editions): string[] {
  if (options.editions === undefined) return [];
  const names = text(options, 'editions')
    .split(',')
    .map((name) => name.trim());
  const unknown = names.filter((name) => !editions.has(name));
  if (unknown.length > 0) throw WrongUsage.value('--editions', `must be among ${editions.names.join(', ')}`);
  return names;
}

function currency(options: Options): string {
  const code = text(options, 'currency');
  if (!/^[A-Z]{3}$/.test(code)) throw WrongUsage.value('--currency', 'must be three capital letters, as EUR');
  return code;
}

function integer(options: Options, name: string, option: string): number {
  const value = text(options, name);
  if (!/^\d{1,15}$/.test(value)) throw WrongUsage.value(option, 'must be a whole number of 0 or more');
  return Number(value);
}

function date(options: Options, name: string, option: string): BillingDate {
  const day = BillingDate.parse(text(options, name));
  if (!day) throw WrongUsage.value(option, 'must be a date, YYYY-MM-DD');
  return day;
}
