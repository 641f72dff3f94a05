import type { Command } from 'commander';
import { StaffTransfers } from '#libs/licensing';
import type { CommandLine } from '../../command-line.js';
import { text, uuidOption, uuidValue } from '../../option-values.js';

const HEAD = ['transfer', 'license', 'to partner', 'to contract', 'effective'];

/** `licenses transfer`: the only way to backdate a transfer within a partner, or to a contract that is not billed. */
export function addTransfer(cli: CommandLine, group: Command): void {
  cli.withApplication(
    group
      .command('transfer <license>')
      .description('transfer a license to another owner; affected statements are flagged for correction')
      .requiredOption('--to-partner <id>', 'the new partner')
      .requiredOption('--to-customer <id>', 'the new customer, of that partner')
      .requiredOption('--to-contract <id>', 'the new contract, of that partner')
      .requiredOption('--by <name>', 'name of the person who transfers it, for the ledger')
      .requiredOption('--reason <text>', 'why')
      .option('--effective-date <date>', 'first day of the new owner, YYYY-MM-DD (default: today)')
      .addHelpText(
        'after',
        '\nExample: cli licenses transfer 9c5b94b1-… --to-partner 6f6c1d7e-… --to-customer 0b0c6e0e-… \\\n' +
          '  --to-contract 3d1c2b4a-… --by Ada --reason "sold on 1 May" --effective-date 2026-05-01',
      ),
    async (app, options, [id]) => {
      const transfer = await app.get(StaffTransfers, { strict: false }).transfer(
        {
          licenseId: uuidValue(id, 'license'),
          toPartnerId: uuidOption(options, 'toPartner'),
          toCustomerId: uuidOption(options, 'toCustomer'),
          toContractId: uuidOption(options, 'toContract'),
          reason: text(options, 'reason'),
          effectiveDate: options.effectiveDate === undefined ? undefined : text(options, 'effectiveDate'),
        },
        text(options, 'by'),
      );
      const effectiveDate = transfer.effectiveDate.toString();
      const { humanId, licenseHumanId, toPartnerId, toContractId } = transfer;
      const row = [humanId, licenseHumanId, toPartnerId, toContractId ?? '', effectiveDate];
      return { json: { ...transfer, effectiveDate }, table: { head: HEAD, rows: [row] }, text: 'Transferred.' };
    },
  );
}
