import type { Command } from 'commander';
import { StatementQueries, type StatementView, type StoredLine } from '#libs/billing';
import { amounts, written } from '../../../billing/amounts.js';
import { record, standing } from '../../../billing/statement-record.js';
import type { CommandLine } from '../../../command-line.js';
import { uuidValue } from '../../../option-values.js';

const HEAD = ['contract', 'model', 'quantity', 'unit price', 'amount', 'drawn / remaining'];

export function showStatement(group: Command, cli: CommandLine): void {
  cli.withApplication(
    group
      .command('show <id>')
      .description('show one statement or draft; --json includes every license')
      .addHelpText('after', '\nExample: cli statements show 7d0e3a52-…'),
    async (app, options, [id]) => {
      const { statement, lines, json } = await app.get(StatementQueries, { strict: false }).show(uuidValue(id, 'id'));
      return {
        json: options.json === true ? { ...record(statement), lines: await linesOf(json) } : null,
        table: { head: HEAD, rows: lines.map(row) },
        text: summary(statement),
      };
    },
  );
}

/** The lines as the API prints them. */
async function linesOf(json: AsyncIterable<Buffer>): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of json) pieces.push(piece);
  return (JSON.parse(Buffer.concat(pieces).toString('utf8')) as { lines: unknown }).lines;
}

function row({ contractId, model, quantity, currency, unitPriceCents, amountCents, pack }: StoredLine) {
  const counts = pack ? `${pack.drawn} / ${pack.remaining}` : null;
  return [contractId, model, quantity, written(unitPriceCents, currency), written(amountCents, currency), counts];
}

function summary(statement: StatementView): string {
  const { partnerId, period, revision, computedAt, finalizedBy, finalizedAt, correction, totals } = statement;
  return [
    `${period.toString()}, revision ${revision} of partner ${partnerId}: ${standing(statement)}.`,
    `Computed ${computedAt.toISOString()}.`,
    ...(finalizedAt ? [`Finalized ${finalizedAt.toISOString()} by ${finalizedBy}.`] : []),
    ...(correction ? [`Correction by ${correction.by}: ${correction.reason}`] : []),
    `Total: ${amounts(totals).replaceAll('\n', ', ') || 'nothing'}.`,
  ].join('\n');
}
